import assert from 'node:assert/strict';
import { describeScript } from '../../../src/scripts/describe';
import { parseHeader } from '../../../src/scripts/header';

const WHOLE = `--[[
  Moves a job. It does so
  in two lines.

  KEYS[1] delayed
  KEYS[2] pc, the priority counter

  ARGV[1] key prefix, which may
    go on here
  ARGV[2] job id

  Steps:
    1. Look.
    2. Move,
       and say so.

  Reply: 0, or
    nothing
  Codes: -1, -3
  Events: waiting, waiting-children
]]
return 0
`;

describe('the header parser', () => {
  it('reads every part of a header, and lines that go on', () => {
    assert.deepEqual(parseHeader(WHOLE), {
      purpose: 'Moves a job. It does so in two lines.',
      keys: [
        { index: 1, text: 'delayed', line: 5 },
        { index: 2, text: 'pc, the priority counter', line: 6 },
      ],
      args: [
        { index: 1, text: 'key prefix, which may go on here', line: 8 },
        { index: 2, text: 'job id', line: 10 },
      ],
      steps: [
        { index: 1, text: 'Look.', line: 13 },
        { index: 2, text: 'Move, and say so.', line: 14 },
      ],
      reply: '0, or nothing',
      codes: [-1, -3],
      events: ['waiting', 'waiting-children'],
      firstLine: 1,
      lastLine: 21,
      problems: [],
    });
  });

  it('takes "none" for an empty list', () => {
    const header = parseHeader('--[[\n  Codes: none\n  Events: none\n]]');
    assert.deepEqual([header?.codes, header?.events], [[], []]);
  });

  it('reads lines that end in a carriage return and a line feed', () => {
    assert.deepEqual(parseHeader(WHOLE.replaceAll('\n', '\r\n')), parseHeader(WHOLE));
  });

  it('finds no header where the text opens with code, with a line comment, or with a comment that does not end', () => {
    for (const text of [
      '',
      'return 1',
      '-- KEYS[1] wait\nreturn 1',
      '--[[ KEYS[1] wait',
      'local x = 1 --[[ a ]]',
    ]) {
      assert.equal(parseHeader(text), undefined);
    }
  });

  it('passes over blank lines before the header', () => {
    assert.equal(parseHeader(`\n\n${WHOLE}`)?.firstLine, 3);
  });

  it('reports gaps, duplicates, missing descriptions and lines it does not understand, with their lines', () => {
    const header = parseHeader(
      [
        '--[[',
        '  P.',
        '',
        '  KEYS[1] a',
        '  KEYS[3] b',
        '  ARGV[1]',
        '',
        '  KEYS|3] c',
        '  Codes: -1, x',
        ']]',
      ].join('\n'),
    );
    assert.deepEqual(header?.problems, [
      { line: 5, message: 'KEYS[3] stands where number 2 is due.' },
      { line: 6, message: 'ARGV[1] is not described.' },
      { line: 8, message: 'The header line "KEYS|3] c" is not understood.' },
      { line: 9, message: 'The code "x" is no negative whole number.' },
    ]);
  });

  it('makes a description of a good header', () => {
    const script = describeScript('move-2.lua', WHOLE);
    assert.deepEqual([script.name, script.keyCount, script.isTool], ['move', 2, false]);
    assert.deepEqual(script.keys, ['delayed', 'pc, the priority counter']);
    assert.equal(describeScript('tools/move-2.lua', WHOLE).isTool, true);
  });

  it('refuses a header that disagrees with the name, or lacks a part, naming file and line', () => {
    assert.throws(
      () => describeScript('move-3.lua', WHOLE),
      /^Error: move-3\.lua:1: the header describes 2 keys/,
    );
    assert.throws(() => describeScript('move.lua', WHOLE), /is named <name>-<number of keys>\.lua/);
    assert.throws(() => describeScript('move-2.lua', 'return 1'), /move-2\.lua:1: the script does not open/);
    for (const [part, message] of [
      ['Reply: 0, or\n    nothing', 'no line "Reply:"'],
      ['Codes: -1, -3', 'no line "Codes:"'],
      ['Events: waiting, waiting-children', 'no line "Events:"'],
    ] as const) {
      assert.throws(() => describeScript('move-2.lua', WHOLE.replace(part, '')), new RegExp(message));
    }
  });
});
