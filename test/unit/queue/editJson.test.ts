import assert from 'node:assert/strict';
import { InputError } from '../../../src/base/errors';
import { indentJson } from '../../../src/editor/platform/json';
import { editJson } from '../../../src/queue/editJson';

/** Shows the stored text indented, as the editor does, replaces a part, and takes the edit over. */
const edit = (stored: string, from: string, to: string) => {
  const shown = indentJson(stored);
  assert.ok(shown.includes(from), `${shown} holds ${from}`);
  return editJson(stored, shown.replace(from, to));
};

describe('an edit of JSON', () => {
  const stored = '{"z":1.0,  "big": 9007199254740993,"a":[ 1e2 ,"é\\u00e9"],\n"e":{ }}';

  it('that changes nothing keeps every byte', () => {
    assert.equal(editJson(stored, indentJson(stored)), stored);
    for (const text of ['1.0', '""', '[]', ' {} ', 'null', '{"a":"\\" , : [ "}']) {
      assert.equal(editJson(text, indentJson(text)), text);
    }
  });

  it('of one value keeps every other byte', () => {
    assert.equal(edit(stored, '1.0', '2.50'), stored.replace('1.0', '2.50'));
    assert.equal(edit(stored, '9007199254740993', '9007199254740995'), stored.replace('993', '995'));
    assert.equal(edit(stored, '1e2', '"x"'), stored.replace('1e2', '"x"'));
  });

  it('that adds or removes something keeps what is around it', () => {
    assert.equal(edit('{"a": 1.0}', '1.0', '1.0, "b": 2'), '{"a": 1.0,"b":2}');
    assert.equal(edit('{"a": 1.0 , "b": 2 }', ',\n  "b": 2', ''), '{"a": 1.0  }');
    assert.equal(edit('[1,1,1]', '1,\n  1,', '1,\n  1,\n  1,'), '[1,1,1,1]');
    assert.equal(edit('{}', '{}', '[1, 2]'), '[1,2]');
  });

  it('of two places keeps the values between them', () => {
    const shown = indentJson(stored).replace('1.0', '3').replace('1e2', '4');
    const result = editJson(stored, shown);
    assert.deepEqual(JSON.parse(result), JSON.parse(shown));
    assert.match(result, /"big":9007199254740993,/);
  });

  it('that leaves no JSON is refused', () => {
    for (const text of ['{', '', '{"a": 1 2}', 'NaN']) {
      assert.throws(() => editJson('{"a":12}', text), InputError);
    }
  });
});
