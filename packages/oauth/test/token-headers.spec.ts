/** The header of a token is read once for all tokens that have the same, and never believed because it was seen before. */
import * as jose from 'jose';
import { TokenHeaders } from '../src/key-set';

const headerOf = (header: object): string => Buffer.from(JSON.stringify(header)).toString('base64url');
const read = (headers: TokenHeaders, header: string) => headers.read(header, `${header}.e30.AA`);

it('is the same object for tokens of the same key, whatever they claim', () => {
  const headers = new TokenHeaders(['ES256']);
  const header = headerOf({ alg: 'ES256', kid: 'k', typ: 'at+jwt' });
  const first = headers.read(header, `${header}.e30.AA`);
  expect(first).toEqual({ algorithm: 'ES256', kid: 'k', typ: 'at+jwt' });
  expect(headers.read(header, `${header}.e30x.BB`)).toBe(first);
  expect(read(headers, headerOf({ alg: 'ES256', kid: 'l' }))).toEqual({ algorithm: 'ES256', kid: 'l', typ: undefined });
});

it('is refused each time where it is not good', () => {
  const headers = new TokenHeaders(['ES256']);
  for (const header of [{ alg: 'none' }, { alg: 'HS256' }, {}, { alg: ['ES256'] }])
    for (let time = 0; time < 2; time++)
      expect(() => read(headers, headerOf(header))).toThrow(jose.errors.JOSEAlgNotAllowed);
  const critical = headerOf({ alg: 'ES256', crit: ['b64'], b64: false });
  for (let time = 0; time < 2; time++)
    expect(() => read(headers, critical)).toThrow('a critical header that this server does not support');
  expect(() => read(headers, 'no-json')).toThrow(jose.errors.JWSInvalid);
});

it('is remembered for a hundred keys: strangers make up more', () => {
  const headers = new TokenHeaders(['ES256']);
  const known = headerOf({ alg: 'ES256', kid: 'known' });
  const first = read(headers, known);
  for (let kid = 0; kid < 99; kid++) read(headers, headerOf({ alg: 'ES256', kid: `${kid}` }));
  expect(read(headers, known)).toBe(first);
  read(headers, headerOf({ alg: 'ES256', kid: 'one more' }));
  expect(read(headers, known)).not.toBe(first);
});
