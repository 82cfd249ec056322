/** URI templates the other way round: from a URI to its variables. */
import fc from 'fast-check';
import { compileUriTemplate } from '../src/registry/uri-templates/compile-uri-template';
import type { UriTemplate, UriVariables } from '../src/registry/uri-templates/parse-uri-template';

function compile(template: string): UriTemplate {
  const compiled = compileUriTemplate(template);
  if (typeof compiled === 'string') throw new Error(compiled);
  return compiled;
}

function match(template: string, uri: string): UriVariables | undefined {
  return compile(template).match(uri);
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
    ['x://{city}{?units}', 'x://Oslo', { city: 'Oslo' }],
    ['x://{city}{?units}', 'x://Oslo?units=K', { city: 'Oslo', units: 'K' }],
    ['x:/{/path*}{?tags*}{#part}', 'x://a/b?tags=1&tags=2#end', { path: ['a', 'b'], tags: ['1', '2'], part: 'end' }],
    ['x:/{/path*}/edit', 'x://a/edit/edit', { path: ['a', 'edit'] }],
    ['x://{?tags*}', 'x://', {}],
    ['x://{?tags*}', 'x://?tags=b&tags=a', { tags: ['b', 'a'] }],
    ['x://{?one,tags*}', 'x://?tags=b&one=1&tags=', { tags: ['b', ''], one: '1' }],
    ['x://{+path}', 'x://a,b/c?d', { path: 'a,b/c?d' }],
    ['x://{a:3}-{b}', 'x://ab-c-d', { a: 'ab', b: 'c-d' }],
    ['x://{a:2}', 'x://%E2%82%AC%F0%9F%8E%89', { a: '€🎉' }],
    ['x://{a:2}', 'x://🎉€', { a: '🎉€' }],
    ['x://{city}/today', 'X://Oslo/tod%61y', { city: 'Oslo' }],
    ['X://{city}/tod%61y', 'x://Oslo/today', { city: 'Oslo' }],
    ['x://API.example/caf%c3%a9/{a}', 'X://api.EXAMPLE/caf%C3%A9/B', { a: 'B' }],
    ['x://{tenant}.example/{a}', 'x://Acme.Example/B', { tenant: 'acme', a: 'B' }],
  ])('%s finds the variables of %s [RSRC-016]', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
  });

  it.each([
    ['x://{city}/today', 'x:///today'],
    ['x://{city}/today', 'x://a/b/today'],
    ['x://{city}/today', 'x://a/today/'],
    ['x://{city}', 'x://a?b'],
    ['x://{city}', 'x://%E0%A4%A'],
    ['x://q{?x}', 'x://q?z=1'],
    ['x://q{?x}', 'x://q?x=1&x=2'],
    ['x://a.b/{c}', 'x://aXb/1'],
    ['x://{a:3}', 'x://abcd'],
    ['x://{a:3}', 'x://'],
    ['x://q{?x:3}', 'x://q?x=abcd'],
    ['x:/{/path*}', 'x://a//b'],
    ['x:/{/path*}', 'x://a/'],
    ['x:/{/path*}', 'x:/'],
    ['x://{list*}', 'x://a,,b'],
    ['x://q{?tags*}', 'x://q?tags=a&other=b'],
    ['x://{a}41{b}', 'x://x%41y'],
  ])('%s does not match %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  it.each([
    ['x://{', 'braces'],
    ['x://}', 'braces'],
    ['x://{a}{b}', '{a} and {b} stand side by side, so nothing tells where {a} ends'],
    ['x://{+a}{?b}', 'side by side'],
    ['x://{?a}{&b}', 'side by side'],
    ['x://{a}{.b}', 'side by side'],
    ['x:/{/a*}{/b}', 'side by side'],
    ['x://{!a}', 'operator'],
    ['x://{}', 'names no variable'],
    ['x://{a b}', 'names no variable'],
    ['x://{*}', 'operator'],
    ['x://{a}/{a}', 'occurs twice'],
    ['x://{a*}/{a}', 'occurs twice'],
    ['x://{/a*,b}', 'list before its last variable'],
    ['x://{a:0}', 'modifier'],
    ['x://{a:10000}', 'modifier'],
    ['x://{a:x}', 'modifier'],
    ['x://{a*:3}', 'modifier'],
    ['x://{a:3*}', 'modifier'],
  ])('%s is refused with a reason', (template, reason) => {
    expect(compileUriTemplate(template)).toEqual(expect.stringContaining(reason));
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

describe('the examples of RFC 6570, section 3.2, that can be told apart', () => {
  const list = ['red', 'green', 'blue'];
  const half = '50%';
  const who = 'fred';
  const hello = 'Hello World!';
  const path = '/foo/bar';
  const [x, y, v, empty] = ['1024', '768', '6', ''];

  it.each<[string, string, UriVariables]>([
    ['{var}', 'value', { var: 'value' }],
    ['{hello}', 'Hello%20World%21', { hello }],
    ['map?{x,y}', 'map?1024,768', { x, y }],
    ['{x,hello,y}', '1024,Hello%20World%21,768', { x, hello, y }],
    ['{var:3}', 'val', { var: 'val' }],
    ['{var:30}', 'value', { var: 'value' }],
    ['{list*}', 'red,green,blue', { list }],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex', { base: 'http://example.com/home/' }],
    ['{+hello}', 'Hello%20World!', { hello }],
    ['{+half}', '50%25', { half }],
    ['{+base}index', 'http://example.com/home/index', { base: 'http://example.com/home/' }],
    ['{+path}/here', '/foo/bar/here', { path }],
    ['here?ref={+path}', 'here?ref=/foo/bar', { path }],
    ['{+x,hello,y}', '1024,Hello%20World!,768', { x, hello, y }],
    ['{+path,x}/here', '/foo/bar,1024/here', { path, x }],
    ['{+path:6}/here', '/foo/b/here', { path: '/foo/b' }],
    ['{+list*}', 'red,green,blue', { list }],
    ['{#var}', '#value', { var: 'value' }],
    ['{#hello}', '#Hello%20World!', { hello }],
    ['{#x,hello,y}', '#1024,Hello%20World!,768', { x, hello, y }],
    ['{#path,x}/here', '#/foo/bar,1024/here', { path, x }],
    ['{#path:6}here', '#/foo/bhere', { path: '/foo/b' }],
    ['{#list*}', '#red,green,blue', { list }],
    ['{.who}', '.fred', { who }],
    ['{.half,who}', '.50%25.fred', { half, who }],
    ['www{.dom*}', 'www.example.com', { dom: ['example', 'com'] }],
    ['X{.var:3}', 'X.val', { var: 'val' }],
    ['X{.list*}', 'X.red.green.blue', { list }],
    ['{/who}', '/fred', { who }],
    ['{/half,who}', '/50%25/fred', { half, who }],
    ['{/var,x}/here', '/value/1024/here', { var: 'value', x }],
    ['{/list*}', '/red/green/blue', { list }],
    ['{/path:4}', '/%2Ffoo', { path: '/foo' }],
    ['{;half}', ';half=50%25', { half }],
    ['{;empty}', ';empty', { empty }],
    ['{;v,empty,who}', ';v=6;empty;who=fred', { v, empty, who }],
    ['{;x,y}', ';x=1024;y=768', { x, y }],
    ['{;hello:5}', ';hello=Hello', { hello: 'Hello' }],
    ['{;list*}', ';list=red;list=green;list=blue', { list }],
    ['{?who}', '?who=fred', { who }],
    ['{?x,y,empty}', '?x=1024&y=768&empty=', { x, y, empty }],
    ['{?var:3}', '?var=val', { var: 'val' }],
    ['{?list*}', '?list=red&list=green&list=blue', { list }],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024', { x }],
    ['{&x,y,empty}', '&x=1024&y=768&empty=', { x, y, empty }],
    ['{&list*}', '&list=red&list=green&list=blue', { list }],
  ])('%s is %s, both ways [RSRC-016]', (template, uri, variables) => {
    expect(match(template, uri)).toEqual(variables);
    expect(compile(template).expand(variables)).toBe(uri);
  });
});

describe('expanding a template', () => {
  const plain = fc.string({ minLength: 1, unit: 'grapheme' });
  const undotted = plain.map((text) => text.replaceAll('.', '-'));
  const reserved = plain.map((text) => text.replace(/[%,]/g, '~'));
  const listOf = (item: fc.Arbitrary<string>) => fc.array(item, { minLength: 1 });
  const maybe = (text: fc.Arbitrary<string>) => fc.option(text, { nil: undefined });

  it.each<[string, Record<string, fc.Arbitrary<string | string[] | undefined>>]>([
    ['x://{a,b}/{c*}', { a: plain, b: plain, c: listOf(plain) }],
    ['x:/{/a,b*}{?c,d*}{#e}', { a: plain, b: listOf(plain), c: maybe(plain), d: listOf(plain), e: reserved }],
    ['x://w{.a*}/{+b}', { a: listOf(undotted), b: reserved }],
    ['x://m{;a,b*}?fixed=1{&c}', { a: maybe(plain), b: listOf(plain), c: maybe(plain) }],
    ['x://{+a,b*}', { a: reserved, b: listOf(reserved) }],
  ])('%s and matching gives the variables back', (template, values) => {
    const compiled = compile(template);
    fc.assert(
      fc.property(fc.record(values), (variables) => {
        expect(compiled.match(compiled.expand(variables))).toEqual(variables);
      }),
    );
  });

  it('cuts a prefix off, and it is that which matching gives back', () => {
    fc.assert(
      fc.property(plain, (text) => {
        const compiled = compile('x://{a:3}/{?b:2}');
        const [a, b] = [[...text].slice(0, 3).join(''), [...text].slice(0, 2).join('')];
        expect(compiled.match(compiled.expand({ a: text, b: text }))).toEqual({ a, b });
      }),
    );
  });

  it('takes numbers and booleans, and says which variable is missing, unknown or of the wrong kind', () => {
    expect(compile('x://{id}{?deep}').expand({ id: 5, deep: true })).toBe('x://5?deep=true');
    expect(compile('x://{id}{?deep}').expand({ id: 5, deep: undefined })).toBe('x://5');
    expect(() => compile('x://{id}').expand({})).toThrow(/needs a value for its variable id/);
    expect(() => compile('x://{id}').expand({ id: 5, page: 1 })).toThrow(/has no variable page. Use id/);
    expect(() => compile('x://{id}').expand({ id: ['5'] })).toThrow(/id takes one value/);
    expect(() => compile('x://{ids*}').expand({ ids: '5' })).toThrow(/ids takes a list/);
    expect(() => compile('x://{ids*}').expand({ ids: [] })).toThrow(/needs a value for its variable ids/);
    expect(() => compile('x://{toString}').expand({})).toThrow(/needs a value for its variable toString/);
  });
});

describe('hostile URIs', () => {
  it('are decoded once, so that what was encoded twice stays encoded', () => {
    expect(match('x://{file}', 'x://%252e%252e%252fetc')).toEqual({ file: '%2e%2e%2fetc' });
    expect(match('x:/{/path*}', 'x://%252F/a')).toEqual({ path: ['%2F', 'a'] });
  });

  it('give a handler no slash that stood in them as it is, but one that was encoded: it separates nothing, and is data', () => {
    expect(match('x://{file}', 'x://../etc/passwd')).toBeUndefined();
    expect(match('x://{file}', 'x://..%2Fetc%2Fpasswd')).toEqual({ file: '../etc/passwd' });
    expect(match('x://{file}', 'x://%2e%2e')).toEqual({ file: '..' });
    expect(match('x:/{/path*}', 'x://a/..%2Fb')).toEqual({ path: ['a', '../b'] });
  });

  it('give what they say where a variable may hold slashes: checking the path is up to the handler', () => {
    expect(match('x://files/{+path}', 'x://files/../../etc/passwd')).toEqual({ path: '../../etc/passwd' });
    expect(match('x://files{/path*}', 'x://files/../etc')).toEqual({ path: ['..', 'etc'] });
  });

  it.each(['x://%', 'x://%2', 'x://%zz', 'x://%E0%A4%A', 'x://%FF', 'x://%C0%AF', 'x://a%ED%A0%80'])(
    'with broken percent-encoding match nothing: %s',
    (uri) => {
      for (const template of ['x://{a}', 'x://{+a}', 'x:/{/a*}', 'x://{a:3}'])
        expect(match(template, uri)).toBeUndefined();
    },
  );

  it('name no variable that is not in the template', () => {
    expect(match('x://q{?a*}', 'x://q?__proto__=1')).toBeUndefined();
    expect(match('x://q{?constructor}', 'x://q?constructor=1')).toEqual({ constructor: '1' });
  });

  const size = 200_000;

  it.each([
    ['x://{a}-{b}-{c}-{d}-{e}/end', `x://${'-'.repeat(size)}?/end`],
    ['x://{+a}-{b}', `x://${'-a'.repeat(size / 2)}/`],
    ['x://{+a}/x/{+b}/y/{c}', `x://${'/x/y'.repeat(size / 4)}/`],
    ['x://{a*}.{b*}.{c}!', `x://${',.'.repeat(size / 2)}?!`],
    ['x:/{/a*}/b{?c,d*}{#e}', `x:/${'/b'.repeat(size / 2)}?${'d=1&'.repeat(size / 4)}`],
    ['x://{a:999}%{b:999}%{c:999}', `x://${'%'.repeat(size)}`],
    ['x://{a:9999}-{b:9999}-{c:9999}/', `x://${'-🎉'.repeat(size / 3)}?/`],
    ['x://{a}/{b}/{c}{?d}', `x://${'/a'.repeat(size / 2)}`],
    ['x://q{;a}{?b*}', `x://q${'?b=%41'.repeat(size / 6)}#`],
  ])('of 200,000 characters are settled without trying every way to divide them: %s', (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  it('of 200,000 characters that match give all of their variables', () => {
    const variables = match('x://{+a}-{b}{?c*}', `x://${'-a'.repeat(size / 4)}?${'c=1&'.repeat(size / 8)}c=2`);
    expect(variables).toMatchObject({ b: 'a', c: expect.arrayContaining(['1', '2']) });
    expect(variables?.['a']).toHaveLength(size / 2 - 2);
    expect(variables?.['c']).toHaveLength(size / 8 + 1);
  });
});

function isEncodable(text: string): boolean {
  try {
    return encodeURIComponent(text) !== '';
  } catch {
    return false; // a lone surrogate has no UTF-8 form
  }
}
