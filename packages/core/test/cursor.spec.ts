import { readCursor, readListedCursor, writeCursor, writeListedCursor } from '../src/registry/listed-cursors';

const refused = { name: 'ProtocolError', error: 'invalid-params' };

describe('a cursor', () => {
  it('is read back, for every place that was given out [PAGE-003]', () => {
    for (const place of [0, 1, 2]) expect(readCursor('tool', writeCursor('tool', place), 3)).toBe(place);
  });

  it('is refused at a place that was never given out [PAGE-005]', () => {
    for (const place of [3, 4, -1, 0.5, NaN, Infinity]) {
      expect(() => readCursor('tool', writeCursor('tool', place), 3)).toThrow(expect.objectContaining(refused));
    }
  });

  it('is refused by the list of another kind [PAGE-005]', () => {
    expect(() => readCursor('prompt', writeCursor('tool', 1), 3)).toThrow(expect.objectContaining(refused));
  });
});

describe('a cursor into what templates list', () => {
  it('is read back, for every template that has a place', () => {
    for (const start of [
      { place: 0, offset: 0 },
      { place: 2, offset: 7 },
    ]) {
      expect(readListedCursor(writeListedCursor(start), 3)).toEqual(start);
    }
  });

  it('is refused for a template that has no place, and before the first of its resources [PAGE-005]', () => {
    const forged = [
      { place: 3, offset: 0 },
      { place: -1, offset: 0 },
      { place: 0, offset: -1 },
      { place: 0, offset: 0.5 },
    ];
    for (const start of forged) {
      expect(() => readListedCursor(writeListedCursor(start), 3)).toThrow(expect.objectContaining(refused));
    }
  });

  it('is left to other lists to read where it is theirs', () => {
    expect(readListedCursor(writeCursor('resource', 1), 3)).toBeUndefined();
  });
});
