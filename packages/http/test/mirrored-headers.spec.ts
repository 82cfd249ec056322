/** Headers against the body: what agrees, what does not, and what the error says. */
import type { IncomingHttpHeaders } from 'node:http';
import type { MirroredArgument } from '@sigil-mcp/core/internal';
import { NEWEST_PER_REQUEST_REVISION, ProtocolError, type JsonObject } from '@sigil-mcp/protocol';
import { checkMethodHeader, checkMirroredArguments, checkNameHeader } from '../src/checks/mirrored-headers';
import fc from 'fast-check';

/** By the rules of the newest revision. */
function checkName(headers: IncomingHttpHeaders, method: string, params: JsonObject | undefined) {
  const parameter = NEWEST_PER_REQUEST_REVISION.http.nameHeader.get(method);
  return parameter === undefined ? undefined : checkNameHeader(headers, parameter, params);
}

const wrap = (text: string): string => `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;

function sentenceOf(error: ProtocolError | undefined): string {
  expect(error).toBeInstanceOf(ProtocolError);
  expect(error?.error).toBe('header-mismatch');
  return error?.message ?? '';
}

const region: MirroredArgument = { header: 'mcp-param-region', path: ['region'], type: 'string' };
const count: MirroredArgument = { header: 'mcp-param-count', path: ['count'], type: 'integer' };
const flag: MirroredArgument = { header: 'mcp-param-flag', path: ['flag'], type: 'boolean' };
const shard: MirroredArgument = { header: 'mcp-param-shard', path: ['filter', 'shard'], type: 'integer' };

const checkRegion = (raw: IncomingHttpHeaders[string], value: unknown) =>
  checkMirroredArguments(raw === undefined ? {} : { 'mcp-param-region': raw }, [region], { region: value });
const checkCount = (raw: string | undefined, value: unknown) =>
  checkMirroredArguments(raw === undefined ? {} : { 'mcp-param-count': raw }, [count], { count: value });

describe('Mcp-Method', () => {
  it('is the method of the body; white space around it does not count [HTTP-030][HTTP-038]', () => {
    expect(checkMethodHeader({ 'mcp-method': 'tools/list' }, 'tools/list')).toBeUndefined();
    expect(checkMethodHeader({ 'mcp-method': ' tools/list\t' }, 'tools/list')).toBeUndefined();
  });

  it('is refused missing, different, in another case or sent twice, and the error names both [HTTP-030]', () => {
    expect(sentenceOf(checkMethodHeader({}, 'tools/list'))).toBe(
      'The header Mcp-Method is missing, but method is "tools/list".',
    );
    expect(sentenceOf(checkMethodHeader({ 'mcp-method': 'tools/call' }, 'tools/list'))).toBe(
      'The header Mcp-Method is "tools/call", but method is "tools/list".',
    );
    const wrong = [
      'TOOLS/LIST',
      '',
      'tools/list, tools/list',
      wrap('tools/list'),
      ['tools/list', 'tools/list'],
      'tools/lisé',
    ];
    for (const raw of wrong) sentenceOf(checkMethodHeader({ 'mcp-method': raw }, 'tools/list'));
  });
});

describe('Mcp-Name', () => {
  it('is params.name of tools and prompts, params.uri of resources, plain or in Base64 [HTTP-031][HTTP-032]', () => {
    const cases = [
      ['tools/call', { name: 'weather', uri: 'other' }, 'weather'],
      ['prompts/get', { name: 'plan' }, 'plan'],
      ['resources/read', { uri: 'file:///a%20b?c=d', name: 'other' }, 'file:///a%20b?c=d'],
    ] as const;
    for (const [method, params, name] of cases) {
      for (const raw of [name, ` ${name} `, wrap(name)])
        expect(checkName({ 'mcp-name': raw }, method, params)).toBeUndefined();
      expect(sentenceOf(checkName({ 'mcp-name': 'other' }, method, params))).toContain(`is "other", but params.`);
      expect(sentenceOf(checkName({}, method, params))).toContain('The header Mcp-Name is missing');
      expect(sentenceOf(checkName({ 'mcp-name': name.toUpperCase() }, method, params))).toContain(JSON.stringify(name));
    }
  });

  it('is whatever text the body has, in Base64 [HTTP-032]', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, other) => {
        expect(checkName({ 'mcp-name': wrap(name) }, 'tools/call', { name })).toBeUndefined();
        if (name !== other) sentenceOf(checkName({ 'mcp-name': wrap(other) }, 'tools/call', { name }));
      }),
    );
  });

  it('is not looked at for other methods', () => {
    for (const method of ['tools/list', 'server/discover', 'constructor', '__proto__']) {
      expect(checkName({ 'mcp-name': 'anything' }, method, { name: 'weather' })).toBeUndefined();
      expect(checkName({}, method, undefined)).toBeUndefined();
    }
  });

  it('names nothing that the body does not; a body without a name is left to its own error [HTTP-031]', () => {
    for (const params of [undefined, {}, { name: null }, { name: 7 }, { uri: 'weather' }]) {
      expect(checkName({}, 'tools/call', params)).toBeUndefined();
      expect(sentenceOf(checkName({ 'mcp-name': 'weather' }, 'tools/call', params))).toBe(
        'The header Mcp-Name is "weather", but the body has no params.name that could be mirrored.',
      );
    }
  });

  it('is refused when it is too long to be decoded [SEC-009]', () => {
    const name = 'x'.repeat(10_000);
    const sentence = sentenceOf(checkName({ 'mcp-name': name }, 'tools/call', { name }));
    expect(sentence).toContain('has 10000 bytes, more than 8192');
    expect(sentence.length).toBeLessThan(500);
  });
});

describe('Mcp-Param-*', () => {
  it('equal the arguments at their paths, plain or in Base64 [HTTP-032][HTTP-034]', () => {
    const headers = { 'mcp-param-region': wrap('Zürich'), 'mcp-param-flag': 'false', 'mcp-param-shard': '7' };
    const args = { region: 'Zürich', flag: false, filter: { shard: 7 } };
    expect(checkMirroredArguments(headers, [region, flag, shard], args)).toBeUndefined();
    expect(
      sentenceOf(checkMirroredArguments({ ...headers, 'mcp-param-shard': '8' }, [region, flag, shard], args)),
    ).toBe('The header mcp-param-shard is "8", but params.arguments.filter.shard is 7.');
  });

  it('are refused with broken Base64 or foreign characters, even where the body says the same [HTTP-034]', () => {
    for (const raw of ['=?base64?SGVsbG8?=', '=?base64?SGVs!!!bG8=?=', 'Zürich']) {
      expect(sentenceOf(checkRegion(raw, raw))).toContain('neither plain ASCII nor valid Base64');
      sentenceOf(checkRegion(raw, 'Hello'));
    }
    for (const literal of ['SGVsbG8=', '=?base64?SGVsbG8=']) expect(checkRegion(literal, literal)).toBeUndefined();
  });

  it('are refused when they are missing for an argument that is there, also a false, 0 or empty one [HTTP-035]', () => {
    for (const value of ['us-west1', '', 0, false]) sentenceOf(checkRegion(undefined, value));
    expect(sentenceOf(checkRegion(undefined, 'eu'))).toBe(
      'The header mcp-param-region is missing, but params.arguments.region is "eu".',
    );
    expect(checkRegion('', '')).toBeUndefined();
  });

  it('are not expected for null and absent arguments, whatever stands on the way [HTTP-036]', () => {
    for (const value of [null, undefined]) expect(checkRegion(undefined, value)).toBeUndefined();
    for (const args of [undefined, null, {}, 'text', [], { filter: null }, { filter: 'text' }, { filter: [7] }]) {
      expect(checkMirroredArguments({}, [region, count, flag, shard], args)).toBeUndefined();
    }
  });

  it('are refused where the body has no value that they could mirror [HTTP-034]', () => {
    for (const value of [null, undefined, ['us'], { name: 'us' }]) {
      expect(sentenceOf(checkRegion('us', value))).toContain('the body has no params.arguments.region');
    }
    sentenceOf(checkMirroredArguments({ 'mcp-param-region': 'us' }, [region], undefined));
  });

  it('do not mistake inherited members for arguments', () => {
    const inherited: MirroredArgument = { header: 'mcp-param-x', path: ['constructor', 'name'], type: 'string' };
    expect(checkMirroredArguments({}, [inherited], {})).toBeUndefined();
  });

  it('leave objects and arrays to the validation of the tool, which can say what is wrong with them', () => {
    for (const value of [['us'], { name: 'us' }]) expect(checkRegion(undefined, value)).toBeUndefined();
  });

  it('compare integers as numbers [HTTP-037]', () => {
    for (const raw of ['42', '42.0', '42.000', ' 42 ', '042']) expect(checkCount(raw, 42)).toBeUndefined();
    for (const raw of ['43', '42.5', '42.00000000000000000001', '4.2e1', '0x2a', '+42', '', '42.', '٤٢'])
      sentenceOf(checkCount(raw, 42));
    expect(checkCount('-0', 0)).toBeUndefined();
    fc.assert(fc.property(fc.maxSafeInteger(), (value) => expect(checkCount(`${value}.0`, value)).toBeUndefined()));
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (value, other) => {
        expect(checkCount(String(other), value) === undefined).toBe(value === other);
      }),
    );
  });

  it('carry no integer beyond ±(2^53-1), where different numbers look alike [TOOL-029]', () => {
    expect(checkCount('9007199254740991', Number.MAX_SAFE_INTEGER)).toBeUndefined();
    expect(checkCount('-9007199254740991', Number.MIN_SAFE_INTEGER)).toBeUndefined();
    for (const value of [2 ** 53, -(2 ** 53), 1e300, Infinity]) {
      expect(sentenceOf(checkCount(String(value), value))).toContain('beyond ±(2^53-1)');
      sentenceOf(checkCount(undefined, value));
    }
    sentenceOf(checkCount('9007199254740992', Number.MAX_SAFE_INTEGER));
    sentenceOf(checkCount('9007199254740991.4', Number.MAX_SAFE_INTEGER));
  });

  it('write booleans as true and false, and compare text case by case [HTTP-038]', () => {
    expect(checkMirroredArguments({ 'mcp-param-flag': 'true' }, [flag], { flag: true })).toBeUndefined();
    for (const raw of ['TRUE', '1', 'yes', 'false', '']) {
      sentenceOf(checkMirroredArguments({ 'mcp-param-flag': raw }, [flag], { flag: true }));
    }
    sentenceOf(checkRegion('US-west1', 'us-west1'));
    sentenceOf(checkRegion('1.0', '1'));
  });

  it('are refused when they were sent twice', () => {
    for (const raw of [['us', 'us'], 'us, us', `${wrap('us')}, ${wrap('us')}`]) sentenceOf(checkRegion(raw, 'us'));
  });

  it('that no argument of the tool is mirrored into are ignored [HTTP-040]', () => {
    expect(
      checkMirroredArguments({ 'mcp-param-other': 'x', 'mcp-param-region': 'us' }, [region], { region: 'us' }),
    ).toBeUndefined();
    expect(checkMirroredArguments({ 'mcp-param-other': 'x' }, [], { other: 'y' })).toBeUndefined();
  });
});
