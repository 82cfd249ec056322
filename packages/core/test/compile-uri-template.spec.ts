/** URI templates the other way round: from a URI to its variables. */
import fc from 'fast-check';
import { compileUriTemplate } from '../src/registry/compile-uri-template';

function match(template: string, uri: string): Readonly<Record<string, string>> | undefined {
  const compiled = compileUriTemplate(template);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled.match(uri);
}

describe('a template', () => {
  it.each([
    ['x://{city}/today', 'x://Oslo/today', { city: 'Oslo' }],
    ['x://{city}/today', 'x://S%C3%A3o%20Paulo/today', { city: 'São Paulo' }],
    ['x://{a}/{b}', 'x://1/2', { a: '1', b: '2' }],
    ['x://{a,b}', 'x://1,2', { a: '1', b: '2' }],
    ['x://files/{+path}', 'x://files/a/b.txt', { path: 'a/b.txt' }],
    ['x://page{#part}', 'x://page#intro', { part: 'intro' }],
    ['x://file{.ext}', 'x://file.txt', { ext: 'txt' }],
    ['x://top{/a,b}', 'x://top/1/2', { a: '1', b: '2' }],
    ['x://p{;x,y}', 'x://p;y=2;x=1', { x: '1', y: '2' }],
    ['x://q{?x,y}', 'x://q?y=2', { y: '2' }],
    ['x://q{?x,y}', 'x://q', {}],
    ['x://q?fixed=1{&x}', 'x://q?fixed=1&x=a%26b', { x: 'a&b' }],
  ])('%s finds the variables of %s [RSRC-016]', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });

  it.each([
    ['x://{city}/today', 'x:///today'],
    ['x://{city}/today', 'x://a/b/today'],
    ['x://{city}/today', 'x://a/today/'],
    ['x://{city}/today', 'X://a/today'],
    ['x://{city}', 'x://a?b'],
    ['x://{city}', 'x://%E0%A4%A'],
    ['x://q{?x}', 'x://q?z=1'],
    ['x://q{?x}', 'x://q?x=1&x=2'],
    ['x://a.b/{c}', 'x://aXb/1'],
  ])('%s does not match %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  it.each(['x://{', 'x://}', 'x://{a}{b}', 'x://{!a}', 'x://{}', 'x://{a}/{a}', 'x://{a*}', 'x://{a:3}', 'x://{a b}'])(
    '%s is refused with a reason',
    (template) => {
      expect(compileUriTemplate(template)).toEqual(expect.any(String));
    },
  );

  it('decodes once, so that what was encoded twice stays encoded', () => {
    expect(match('x://{file}', 'x://%252e%252e%252fetc')).toEqual({ file: '%2e%2e%2fetc' });
  });

  it('gets back whatever was put in, percent-encoded', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.string({ minLength: 1 }), (a, b) => {
        fc.pre(isEncodable(a) && isEncodable(b));
        const uri = `x://${encodeURIComponent(a)}/to/${encodeURIComponent(b)}`;
        expect(match('x://{a}/to/{b}', uri)).toEqual({ a, b });
      }),
    );
  });

  it('never throws, whatever the template and the URI', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (template, uri) => {
        const compiled = compileUriTemplate(template);
        if (typeof compiled !== 'string') compiled.match(uri);
      }),
    );
  });
});

function isEncodable(text: string): boolean {
  try {
    return encodeURIComponent(text) !== '';
  } catch {
    return false; // a lone surrogate has no UTF-8 form
  }
}
