import assert from 'node:assert/strict';
import { Levels } from '../../../src/editor/explorer/levels';

describe('The window of a tree level', () => {
  it('starts with a hundred rows, grows to two hundred, then slides and never holds more', () => {
    const levels = new Levels();
    const seen = [levels.get('a')];
    for (let i = 0; i < 3; i++) {
      levels.more('a');
      seen.push(levels.get('a'));
    }
    assert.deepEqual(seen, [
      { offset: 0, limit: 100 },
      { offset: 0, limit: 200 },
      { offset: 100, limit: 200 },
      { offset: 200, limit: 200 },
    ]);
  });

  it('slides back to the beginning and no further', () => {
    const levels = new Levels(200);
    levels.more('a');
    levels.previous('a');
    levels.previous('a');
    assert.deepEqual(levels.get('a'), { offset: 0, limit: 200 });
  });

  it('moves back when the level has shrunk below it', () => {
    const levels = new Levels(200);
    for (let i = 0; i < 5; i++) levels.more('a');
    assert.deepEqual(levels.clamp('a', 250), { offset: 200, limit: 200 });
    assert.deepEqual(levels.clamp('a', 0), { offset: 0, limit: 200 });
  });

  it('is kept for each level apart', () => {
    const levels = new Levels();
    levels.more('a');
    assert.deepEqual(levels.get('b'), { offset: 0, limit: 100 });
  });
});
