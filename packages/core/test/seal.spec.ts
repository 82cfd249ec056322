/** Texts that only a server with the secret can read or make. */
import fc from 'fast-check';
import { Seal } from '../src/asking/request-states';

const OLD = 'an old secret, which is long enough too';
const NEW = 'a new secret, which is long enough too.';

describe('a seal', () => {
  it('opens what it sealed, whatever it is', () => {
    const seal = new Seal([NEW], 'test');
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => expect(seal.open(seal.seal(text))).toBe(text)));
  });

  it('never seals the same way twice', () => {
    const seal = new Seal([NEW], 'test');
    expect(seal.seal('text')).not.toBe(seal.seal('text'));
  });

  it('opens nothing else', () => {
    const seal = new Seal([NEW], 'test');
    fc.assert(fc.property(fc.string(), (text) => expect(seal.open(text)).toBeUndefined()));
    const bytes = fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array).toString('base64url'));
    fc.assert(fc.property(bytes, (text) => expect(seal.open(text)).toBeUndefined()));
  });

  it('opens nothing that was changed in a single bit', () => {
    const seal = new Seal([NEW], 'test');
    const sealed = Buffer.from(seal.seal('the text'), 'base64url');
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(seal.open(changed.toString('base64url'))).toBeUndefined();
    }
  });

  it('opens with old secrets as long as they are named, and seals with the first', () => {
    const [before, during, after] = [new Seal([OLD], 'test'), new Seal([NEW, OLD], 'test'), new Seal([NEW], 'test')];
    expect(during.open(before.seal('text'))).toBe('text');
    expect(after.open(during.seal('text'))).toBe('text');
    expect(after.open(before.seal('text'))).toBeUndefined();
    expect(before.open(during.seal('text'))).toBeUndefined();
  });

  it('does not open for another purpose', () => {
    expect(new Seal([NEW], 'one').open(new Seal([NEW], 'other').seal('text'))).toBeUndefined();
  });
});
