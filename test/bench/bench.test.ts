import assert from 'node:assert/strict';
import { QUICK, runBench } from './bench';
import { type CaseReport, formatReport, listSpreads, spreadOf } from './report';

describe('the benchmark', () => {
  const reports: CaseReport[] = [];
  before(async function () {
    this.timeout(120_000);
    await runBench(QUICK, (report) => reports.push(report));
  });

  it('measures in every case something against something else', () => {
    assert.ok(reports.length > 0);
    for (const report of reports) assert.ok(listSpreads(report).length > 1, report.title);
  });

  it('tells only ratios that are finite and above nothing', () => {
    for (const report of reports) {
      for (const { median, min, max } of listSpreads(report)) {
        assert.ok(
          [median, min, max].every((ratio) => Number.isFinite(ratio) && ratio > 0),
          formatReport(report),
        );
        assert.ok(min <= median && median <= max);
      }
    }
  });

  it('holds what it claims about commands, round trips and bytes', () => {
    // Time is another matter: it is held in the benchmark, not in a test.
    const counted = reports
      .flatMap(({ claims }) => claims)
      .filter(({ text }) => /round trip|bytes/.test(text));
    assert.ok(counted.length > 0);
    for (const { text, isHeld } of counted) assert.ok(isHeld, text);
  });
});

describe('a spread', () => {
  it('is the median, the least and the most', () => {
    assert.deepEqual(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 });
    assert.deepEqual(spreadOf([4, 1, 2, 3]), { median: 2.5, min: 1, max: 4 });
    assert.throws(() => spreadOf([]), RangeError);
  });
});
