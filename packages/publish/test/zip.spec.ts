import fc from 'fast-check';
import { unzip, zip } from '../src/zip';

describe('An archive', () => {
  it('has the files that were put into it, and the same bytes in any order', () => {
    const files = fc.dictionary(fc.string({ minLength: 1, unit: 'grapheme' }), fc.uint8Array());
    fc.assert(
      fc.property(files, (members) => {
        const entries = Object.entries(members);
        const archive = zip(new Map(entries));
        expect([...unzip(archive)].map(([name, bytes]) => [name, [...bytes]])).toEqual(
          entries
            .map(([name, bytes]) => [name, [...bytes]])
            .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
        );
        expect(zip(new Map(entries.reverse())).equals(archive)).toBe(true);
      }),
    );
  });
});
