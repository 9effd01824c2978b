import assert from 'node:assert/strict';
import { flattenScript, IncludeError, parseIncludes, resolveInclude } from '../../../src/scripts/includes';

const flatten = (files: Record<string, string>, file = 'a-1.lua') =>
  flattenScript(file, (path) => files[path]);

const failure = (run: () => unknown): IncludeError => {
  try {
    run();
  } catch (error) {
    assert.ok(IncludeError.is(error));
    return error;
  }
  return assert.fail('nothing was thrown');
};

describe('the include resolver', () => {
  it('recognises an include at column 0, with two or three hyphens and either quote', () => {
    const text = [
      '--- @include "includes/a"',
      "-- @include 'b.lua';  ",
      '---@include\t"c"',
      '  --- @include "indented"',
      '---- @include "four"',
      '--- @include unquoted',
      '--- @include "after" text',
      `--- @include "mixed'`,
      '--- @includes "d"',
    ].join('\n');
    assert.deepEqual(parseIncludes(text), [
      { path: 'includes/a', line: 1 },
      { path: 'b.lua', line: 2 },
      { path: 'c', line: 3 },
    ]);
  });

  it('resolves a path against the file that includes', () => {
    assert.equal(resolveInclude('a-1.lua', 'includes/x'), 'includes/x.lua');
    assert.equal(resolveInclude('includes/x.lua', 'y'), 'includes/y.lua');
    assert.equal(resolveInclude('tools/a-1.lua', '../includes/./x.lua'), 'includes/x.lua');
    assert.equal(resolveInclude('a-1.lua', '../../x'), '../../x.lua');
    assert.equal(resolveInclude('/home/u/lua/a-1.lua', '../y'), '/home/u/y.lua');
    assert.equal(resolveInclude('/home/u/a-1.lua', '/abs//y'), '/abs/y.lua');
  });

  it('puts an include in the place of its line and tells where each line was written', () => {
    const flat = flatten({
      'a-1.lua': '--[[ header ]]\n--- @include "includes/x"\nreturn x()\n',
      'includes/x.lua': 'local function x()\n  return 1\nend\n',
    });
    assert.equal(flat.text, '--[[ header ]]\nlocal function x()\n  return 1\nend\nreturn x()\n');
    assert.deepEqual(
      flat.lines.map(({ file, line }) => `${file}:${line}`),
      ['a-1.lua:1', 'includes/x.lua:1', 'includes/x.lua:2', 'includes/x.lua:3', 'a-1.lua:3'],
    );
    assert.equal(flat.lines.length, flat.text.trimEnd().split('\n').length);
  });

  it('emits a file once, before its first use, however often it is asked for', () => {
    const flat = flatten({
      'a-1.lua': '--- @include "x"\n--- @include "y"\n--- @include "x"\nreturn 1',
      'x.lua': '--- @include "y"\nlocal x = y',
      'y.lua': 'local y = 1',
    });
    assert.equal(flat.text, 'local y = 1\nlocal x = y\n\n\nreturn 1\n');
    assert.deepEqual(flat.includes, ['x.lua', 'y.lua']);
    assert.deepEqual(flat.lines[2], { file: 'a-1.lua', line: 2 });
  });

  it('names file and line of an include that is missing', () => {
    const error = failure(() =>
      flatten({ 'a-1.lua': '\n--- @include "x"', 'x.lua': '\n\n--- @include "gone"' }),
    );
    assert.deepEqual(
      [error.kind, error.file, error.line, error.include],
      ['missing', 'x.lua', 3, 'gone.lua'],
    );
    assert.match(error.message, /x\.lua:3/);
  });

  it('says that the script itself is missing', () => {
    assert.deepEqual([failure(() => flatten({})).kind, failure(() => flatten({})).line], ['missing', 0]);
  });

  it('names the whole chain of a cycle, and its last include line', () => {
    const files = {
      'a-1.lua': '--- @include "x"',
      'x.lua': '--- @include "y"',
      'y.lua': '\n--- @include "x"',
    };
    const error = failure(() => flatten(files));
    assert.deepEqual([error.kind, error.file, error.line], ['cycle', 'y.lua', 2]);
    assert.match(error.message, /x\.lua → y\.lua → x\.lua/);
  });

  it('finds the cycle of a file that includes itself', () => {
    assert.equal(failure(() => flatten({ 'a-1.lua': '--- @include "a-1"' })).kind, 'cycle');
  });

  it('takes text literally, whatever looks like a replacement pattern in it', () => {
    const hostile = "local p = '%d$' -- $& $1 $` $' $$";
    assert.equal(flatten({ 'a-1.lua': '--- @include "x"', 'x.lua': hostile }).text, `${hostile}\n`);
  });

  it('keeps blank lines, and takes carriage returns off', () => {
    const flat = flatten({
      'a-1.lua': 'local a\r\n\r\n--- @include "x"\r\nreturn a\r\n',
      'x.lua': '\nlocal x\n\n',
    });
    assert.equal(flat.text, 'local a\n\n\nlocal x\n\nreturn a\n');
  });
});
