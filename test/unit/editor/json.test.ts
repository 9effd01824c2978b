import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compactJson, indentJson } from '../../../src/editor/platform/json';

const stripBlanks = (text: string) => text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
const stripFirstBlanks = (text: string) =>
  text.replace('{\n  ', '{').replace('": ', '":').replace(/\n}$/, '}');

describe('Indented JSON', () => {
  it('keeps digits, key order and duplicate keys', () => {
    const text = '{"id":9007199254740993,"price":1.0,"b":1,"a":[1e400,-0.0],"a":{}}';
    const indented = indentJson(text);
    assert.equal(stripBlanks(indented), text);
    assert.ok(
      indented.includes('9007199254740993') && indented.includes('1.0') && indented.includes('1e400'),
    );
  });

  it('leaves text that is no JSON as it is', () => {
    assert.equal(indentJson('{"a": '), '{"a": ');
    assert.equal(indentJson('hello'), 'hello');
  });

  it('changes nothing but white space, whatever the value', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.equal(stripBlanks(indentJson(text)), stripBlanks(text));
        assert.deepEqual(JSON.parse(indentJson(text)), JSON.parse(text));
      }),
    );
  });

  it('looks like what an editor would print', () => {
    assert.equal(
      indentJson('{"a":[1,{"b":"x:{,"}],"c":[],"d":{}}'),
      JSON.stringify({ a: [1, { b: 'x:{,' }], c: [], d: {} }, null, 2),
    );
  });

  it('of ten million characters, or nested as deep, costs no stack and no more than its size', () => {
    const long = JSON.stringify({ text: '\\"x'.repeat(3_000_000) });
    assert.equal(stripFirstBlanks(indentJson(long)), long);
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    const indented = indentJson(deep);
    assert.equal(indented.replace(/\s/g, ''), deep);
    assert.ok(indented.length < deep.length * 110);
  });
});

describe('Compact JSON', () => {
  it('takes back what indenting did, byte for byte', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const compact = compactJson(text);
        assert.equal(compactJson(indentJson(compact)), compact);
      }),
    );
    const text = '{"id":9007199254740993,"price":1.0,"b":"a : \\"b\\" ,","a":[1e400,-0.0],"a":{}}';
    assert.equal(compactJson(indentJson(text)), text);
  });

  it('leaves text that is no JSON as it is', () => {
    assert.equal(compactJson('{ "a" '), '{ "a" ');
  });
});
