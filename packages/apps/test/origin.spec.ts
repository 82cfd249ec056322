import { covers, originOf, readOrigin, type Origin } from '../src/policy/origin';

const origin = (text: string): Origin => readOrigin(text) as Origin;

describe('the origins of a policy', () => {
  it.each([
    'https://api.example.com',
    'https://*.example.com',
    'wss://live.example.com:8443',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'https://[::1]:8080',
    'https://xn--bcher-kva.example',
    'HTTPS://API.example.com',
    'https://intranet',
  ])('reads %s', (text) => {
    expect(readOrigin(text)).toBeDefined();
  });

  it.each([
    '',
    '*',
    'not a domain',
    'example.com',
    'https://',
    'https://*',
    'https://*.com',
    'https://a.example/path',
    'https://a.example/',
    'https://user@a.example',
    'https://a.example:99999',
    'https://a.example:0',
    'https://a.*.example',
    'https://a.example?x',
    'https://bücher.example',
    'ftp://a.example',
    'data:',
    "'self'",
    "'unsafe-eval'",
    'https://a.example; script-src *',
    'https://a.example;script-src',
    'https://a.example,https://b.example',
    "https://a.example'unsafe-eval'",
    'https://a.example\nscript-src',
    'https://a.example\n',
    ' https://a.example',
    'javascript://a.example',
    'https://a.example"onload="',
    'https://a..example',
    'https://-a.example',
  ])('refuses %j', (text) => {
    expect(readOrigin(text)).toBeUndefined();
  });

  it('refuses what is no text', () => {
    expect([undefined, null, 1, {}, ['https://a.example']].map(readOrigin)).toEqual(Array(5).fill(undefined));
  });

  it.each([
    ['https://a.example', 'https://a.example', true],
    ['https://a.example', 'https://a.example:443', true],
    ['https://a.example', 'https://a.example:8443', false],
    ['https://a.example', 'http://a.example', false],
    ['http://a.example', 'https://a.example', true],
    ['http://a.example:3000', 'https://a.example:3000', true],
    ['ws://a.example', 'wss://a.example', true],
    ['https://a.example', 'wss://a.example', false],
    ['https://*.a.example', 'https://b.a.example', true],
    ['https://*.a.example', 'https://c.b.a.example', true],
    ['https://*.a.example', 'https://a.example', false],
    ['https://*.a.example', 'https://eviltotally-a.example', false],
    ['https://*.a.example', 'https://nota.example', false],
    ['https://a.example', 'https://*.a.example', false],
    ['https://*.a.example', 'https://*.a.example', true],
    ['https://*.a.example', 'https://*.b.a.example', true],
    ['https://A.example', 'https://a.EXAMPLE', true],
  ])('%s covers %s: %s', (declared, wanted, isCovered) => {
    expect(covers([origin(declared)], origin(wanted))).toBe(isCovered);
  });

  it('tells the origin of an address', () => {
    expect(originOf('https://cdn.example.com/lib.js?x=1')).toBe('https://cdn.example.com');
    expect(originOf('wss://live.example.com:8443/feed')).toBe('wss://live.example.com:8443');
    expect(['data:text/plain,x', './lib.js', 'mailto:a@b.example'].map(originOf)).toEqual(Array(3).fill(undefined));
  });
});
