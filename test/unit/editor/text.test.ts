import assert from 'node:assert/strict';
import {
  formatBytes,
  formatSpan,
  hidePassword,
  oneLine,
  parseSpan,
  plainLines,
} from '../../../src/editor/platform/text';

describe('The URL of a connection', () => {
  it('is shown without its passwords, whatever its kind', () => {
    assert.deepEqual(
      [
        'redis://ann:secret@h:1/0',
        'unix://:secret@/run/redis.sock?db=1',
        'rediss-sentinel://ann:secret@a:1,b:2/0?sentinelPassword=secret&sentinelUsername=w#main',
        'redis://h:1/0',
      ].map(hidePassword),
      [
        'redis://ann@h:1/0',
        'unix://@/run/redis.sock?db=1',
        'rediss-sentinel://ann@a:1,b:2/0?sentinelPassword=…&sentinelUsername=w#main',
        'redis://h:1/0',
      ],
    );
  });
});

describe('Text from Redis', () => {
  it('becomes one line, with line breaks marked', () => {
    assert.equal(oneLine('a\r\nb\nc\td'), 'a ⏎ b ⏎ c d');
  });

  it('shows control characters, terminal escapes and bidirectional overrides as codes', () => {
    assert.equal(oneLine('\u001b[31mred'), '\\u001b[31mred');
    assert.equal(oneLine('abc\u202egpj.exe'), 'abc\\u202egpj.exe');
    assert.equal(oneLine('zero\u200bwidth\u0000'), 'zero\\u200bwidth\\u0000');
  });

  it('is cut to the length asked for, however long it is', () => {
    assert.equal(oneLine('x'.repeat(10_000_000), 10), `${'x'.repeat(9)}…`);
    assert.equal(oneLine('x'.repeat(10), 10), 'x'.repeat(10));
  });

  it('keeps its lines and tabs in a document', () => {
    assert.equal(plainLines('a\r\n\tb\u0007'), 'a\n\tb\\u0007');
  });
});

describe('Spans of time and sizes', () => {
  it('are written in the unit a person would use', () => {
    assert.deepEqual([450, 12_000, 300_000, 10_800_000, 345_600_000].map(formatSpan), [
      '450 ms',
      '12 s',
      '5 min',
      '3 h',
      '4 d',
    ]);
    assert.deepEqual([12, 2048, 999_600, 10_000_000].map(formatBytes), [
      '12 bytes',
      '2 kB',
      '1.0 MB',
      '10.0 MB',
    ]);
  });

  it('are read with and without a unit', () => {
    assert.deepEqual(
      ['250', '250 ms', '30s', '5m', '1.5h', '1d'].map(parseSpan),
      [250, 250, 30_000, 300_000, 5_400_000, 86_400_000],
    );
  });

  it('are refused when they are none', () => {
    assert.deepEqual(['', '-5', '5 weeks', 'NaN', '1e3'].map(parseSpan), Array(5).fill(undefined));
  });
});
