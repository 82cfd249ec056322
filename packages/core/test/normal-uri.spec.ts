/** URIs that RFC 3986 calls equal have one normal form, and no others. */
import fc from 'fast-check';
import { normalUri } from '../src/values/normal-uri';
import { runs } from '../../../test/support/matrix';

it.each([
  ['Notes://all', 'notes://all'],
  ['NOTES://ALL/Day', 'notes://all/Day'],
  ['notes:All', 'notes:All'],
  ['x://h/%7euser/%41', 'x://h/~user/A'],
  ['x://h/%2f%c3%a9', 'x://h/%2F%C3%A9'],
  ['x://h/%2541', 'x://h/%2541'],
  ['x://H%c3%89.Example', 'x://h%C3%89.example'],
  ['x://Ada@HOST:80/P?Q#F', 'x://Ada@host:80/P?Q#F'],
  ['x://h/a/../b', 'x://h/a/../b'],
  ['x:///Path', 'x:///Path'],
  ['x://h/%zz%4', 'x://h/%zz%4'],
])('writes %s as %s', (uri, normal) => {
  expect(normalUri(uri)).toBe(normal);
});

it('keeps the case of the host where it may be data', () => {
  expect(normalUri('Users://Ada/%7e', 'as sent')).toBe('users://Ada/~');
});

describe('any URI', () => {
  const byte = fc.integer({ min: 0, max: 255 }).map((value) => `%${value.toString(16).padStart(2, '0')}`);
  const character = fc.constantFrom(...'abcXYZ019-._~:@!$&()*+,;=');
  const text = fc
    .array(fc.oneof({ arbitrary: character, weight: 3 }, byte), { maxLength: 12 })
    .map((all) => all.join(''));
  const host = fc
    .array(fc.oneof(fc.constantFrom(...'abcXYZ019-._~'), byte), { maxLength: 8 })
    .map((all) => all.join(''));
  const parts = fc.record({ scheme: fc.constantFrom('notes', 'x-y', 'git+ssh'), host, path: text, query: text });
  const write = ({ scheme, host: at, path, query }: { scheme: string; host: string; path: string; query: string }) =>
    `${scheme}://${at}/${path}?${query}`;

  /** Another spelling: each character at random in one of the forms that the RFC calls equal. */
  const respell = (uri: string, coins: readonly boolean[]): string => {
    let index = 0;
    const toss = (): boolean => coins[index++ % coins.length] ?? false;
    const [, scheme = '', rest = ''] = /^([^:]+)(.*)$/s.exec(uri) ?? [];
    const [, authority = '', path = ''] = /^(:\/\/[^/?#]*)(.*)$/s.exec(rest) ?? [];
    const turn = (all: string): string => (toss() ? all.toUpperCase() : all.toLowerCase());
    const encode = (all: string): string =>
      all.replace(/%[0-9A-Fa-f]{2}|[A-Za-z0-9._~-]/g, (part) => {
        if (part.startsWith('%')) return turn(part);
        return toss() ? turn(`%${part.charCodeAt(0).toString(16)}`) : part;
      });
    return (
      turn(scheme) +
      encode(authority.replace(/%..|[A-Za-z]/g, (part) => (part.startsWith('%') ? part : turn(part)))) +
      encode(path)
    );
  };

  it('is found in every spelling', () => {
    fc.assert(
      fc.property(parts, fc.array(fc.boolean(), { minLength: 7, maxLength: 40 }), (made, coins) => {
        const uri = write(made);
        expect(normalUri(respell(uri, coins))).toBe(normalUri(uri));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('has a normal form that is its own, and says the same to who decodes it', () => {
    fc.assert(
      fc.property(parts, (made) => {
        const normal = normalUri(write(made));
        expect(normalUri(normal)).toBe(normal);
        const bytes = (uri: string): string =>
          uri.replace(/%(..)/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        const [path, normalPath] = [write(made), normal].map((uri) =>
          bytes(uri.slice(uri.indexOf('/', uri.indexOf('//') + 2))),
        );
        expect(normalPath).toBe(path);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('differs from one with another character', () => {
    fc.assert(
      fc.property(parts, character, character, (made, one, other) => {
        fc.pre(one !== other);
        const [first, second] = [one, other].map((last) => normalUri(`${write(made)}${last}`));
        expect(first).not.toBe(second);
      }),
      { numRuns: runs(1000) },
    );
  });
});
