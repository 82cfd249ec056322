import { projectFields } from '../src/writing/write-content';
import { deepFreeze } from './rich-values';

describe('projectFields', () => {
  const part = projectFields(['a']);
  const write = projectFields(['name', 'part', 'parts'], { part, parts: part });

  it('passes on what has nothing to lose, without a copy', () => {
    const noun = deepFreeze({ name: 'x', part: { a: 1 } });
    expect(write(noun)).toBe(noun);
  });

  it('leaves out what is unknown, at every depth, and never changes its input', () => {
    const noun = deepFreeze({ later: 1, name: 'x', part: { a: 1, b: 2 }, parts: [{ a: 1 }, { b: 2 }] });
    expect(write(noun)).toEqual({ name: 'x', part: { a: 1 }, parts: [{ a: 1 }, {}] });
  });

  it('leaves out members that are undefined when it copies', () => {
    expect(Object.keys(write({ later: 1, name: undefined }))).toEqual([]);
  });

  it('is not misled by members named like those of Object.prototype', () => {
    expect(write({ name: 'x', constructor: 1, toString: 2 })).toEqual({ name: 'x' });
  });
});
