import { parseMessage, readMessage } from '@sigil-mcp/protocol';
import fc from 'fast-check';
import { runs } from '../../../test/support/matrix';

const parse = (value: unknown) => parseMessage(JSON.stringify(value));
const refused = (id: unknown, code: number, silent = false) =>
  ({ kind: 'invalid', id, silent, error: { code, message: expect.any(String) } }) as unknown;

/** The same message, whatever it weighs: that depends on whether its text is known. */
const unweighed = (message: ReturnType<typeof readMessage>): unknown =>
  JSON.parse(JSON.stringify(message, (name, value: unknown) => (name === 'weight' ? undefined : value)));

describe('parseMessage', () => {
  it('reads a request, its id as it came', () => {
    const params = { name: 'forecast' };
    for (const id of [1, 0, -7, '1', '', 'a b']) {
      expect(parse({ jsonrpc: '2.0', id, method: 'tools/call', params })).toEqual({
        kind: 'request',
        id,
        method: 'tools/call',
        params,
        weight: expect.any(Number) as number,
      });
    }
    expect(parse({ jsonrpc: '2.0', id: 1, method: 'ping' })).toMatchObject({ kind: 'request', params: undefined });
  });

  it('wants a request to name a method; a notification of no name is one that nobody knows', () => {
    expect(parse({ jsonrpc: '2.0', id: 1, method: '' })).toMatchObject({
      kind: 'invalid',
      id: 1,
      error: { code: -32600 },
    });
    expect(parse({ jsonrpc: '2.0', method: '' })).toMatchObject({ kind: 'notification' });
  });

  it('takes no message that holds a method and a result or an error', () => {
    for (const extra of [{ result: {} }, { error: { code: 1, message: 'x' } }, { result: null }, { error: null }]) {
      expect(parse({ jsonrpc: '2.0', id: 1, method: 'ping', ...extra })).toEqual(refused(1, -32600));
      expect(parse({ jsonrpc: '2.0', method: 'notifications/initialized', ...extra })).toEqual(
        refused(undefined, -32600),
      );
    }
  });

  it('takes no id that would cost more to hold than the call is worth', () => {
    expect(parse({ jsonrpc: '2.0', id: 'x'.repeat(512), method: 'ping' })).toMatchObject({ kind: 'request' });
    expect(parse({ jsonrpc: '2.0', id: 'x'.repeat(513), method: 'ping' })).toMatchObject({
      kind: 'invalid',
      id: undefined,
      error: { code: -32600, message: 'id must not be longer than 512 characters' },
    });
    expect(parse({ jsonrpc: '2.0', id: 'x'.repeat(513), result: {} })).toEqual(refused(undefined, -32600, true));
  });

  it('takes no batch that is longer than it may be, and does not look into it', () => {
    const batch = JSON.stringify([1, 2, 3]);
    expect(parseMessage(batch, { batchMessages: 3 })).toMatchObject({ kind: 'batch' });
    expect(parseMessage(batch, { batchMessages: 2 })).toMatchObject({
      kind: 'invalid',
      silent: false,
      error: { code: -32600 },
    });
  });

  it('reads a notification as what has a method and no id', () => {
    expect(parse({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({
      kind: 'notification',
      method: 'notifications/initialized',
      params: undefined,
    });
  });

  it('reads responses', () => {
    expect(parse({ jsonrpc: '2.0', id: 's-1', result: { roots: [] } })).toEqual({
      kind: 'response',
      id: 's-1',
      result: { roots: [] },
    });
    expect(parse({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no', data: null } })).toEqual({
      kind: 'response',
      id: 1,
      error: { code: -1, message: 'no', data: null },
    });
  });

  it.each(['', ' ', '{', 'hello', '{"jsonrpc":"2.0",}', '\u0000', "{'a':1}"])(
    'answers text that is not JSON with -32700: %j [BASE-014]',
    (text) => expect(parseMessage(text)).toEqual(refused(undefined, -32700)),
  );

  it.each([1, 'text', null, true, {}, { jsonrpc: '2.0' }, { jsonrpc: '2.0', method: 1, params: 'bar' }])(
    'answers JSON that is no message with -32600: %j [BASE-015]',
    (value) => expect(parse(value)).toEqual(refused(undefined, -32600)),
  );

  it.each([
    { id: 1, method: 'ping' },
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: 2, id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 1, method: null },
    { jsonrpc: '2.0', id: 1, method: ['ping'] },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: 'text' },
    { jsonrpc: '2.0', id: 1, method: 7, result: {} },
  ])('echoes the id of a malformed request where it can be read: %j [BASE-007] [BASE-015]', (value) => {
    expect(parse(value)).toEqual(refused(1, -32600));
  });

  it.each([null, 1.5, true, {}, [], 2 ** 53])('takes no id but strings and exact integers: %j [BASE-015]', (id) => {
    expect(parse({ jsonrpc: '2.0', id, method: 'ping' })).toEqual(refused(undefined, -32600));
  });

  it('takes null for nothing where a member may be left out', () => {
    const read = (params: unknown): unknown => {
      const message = parse({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return message.kind === 'request' && message.params;
    };
    expect(read(null)).toBeUndefined();
    expect(read({ name: 'a', arguments: null, cursor: null, _meta: null })).toEqual({ name: 'a' });
    expect(read({ _meta: { progressToken: null, other: null } })).toEqual({ _meta: { other: null } });
    expect(read({ name: null, arguments: { a: null } })).toEqual({ name: null, arguments: { a: null } });
    expect(parse({ jsonrpc: '2.0', method: 'notifications/cancelled', params: null })).toMatchObject({
      kind: 'notification',
    });
  });

  it('answers positional parameters with -32602, because the protocol has only named ones', () => {
    expect(parse({ jsonrpc: '2.0', id: 1, method: 'ping', params: [1] })).toEqual(refused(1, -32602));
  });

  it('stays silent about a malformed notification', () => {
    for (const params of [[1], 'text', 1]) {
      expect(parse({ jsonrpc: '2.0', method: 'notifications/cancelled', params })).toEqual(
        refused(undefined, -32600, true),
      );
    }
  });

  it.each([
    { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } },
    { jsonrpc: '2.0', id: 1, result: 5 },
    { jsonrpc: '2.0', id: 1, result: null },
    { jsonrpc: '2.0', id: 1, error: 'no' },
    { jsonrpc: '2.0', id: 1, error: { code: 1.5, message: 'no' } },
    { jsonrpc: '2.0', id: 1, error: { code: 1 } },
    { id: 1, result: {} },
  ])('stays silent about a malformed response, and says which one it was: %j', (value) => {
    expect(parse(value)).toEqual(refused(1, -32600, true));
  });

  it('stays silent about a response whose id it cannot read', () => {
    expect(parse({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'no' } })).toEqual(
      refused(undefined, -32600, true),
    );
    expect(parse({ jsonrpc: '2.0', result: {} })).toEqual(refused(undefined, -32600, true));
  });

  it('reads the elements of a batch one by one', () => {
    const batch = parse([{ jsonrpc: '2.0', id: 1, method: 'ping' }, 5, [], { jsonrpc: '2.0', method: 'x' }]);
    expect(batch).toMatchObject({
      kind: 'batch',
      messages: [{ kind: 'request' }, refused(undefined, -32600), refused(undefined, -32600), { kind: 'notification' }],
    });
  });

  it('answers an empty batch with one -32600 [BASE-015]', () => {
    expect(parseMessage('[]')).toEqual(refused(undefined, -32600));
  });

  it('survives nesting of 10,000 levels', () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    expect(parseMessage(deep)).toMatchObject({ kind: 'batch', messages: [refused(undefined, -32600)] });
    expect(parseMessage(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep}}}`)).toMatchObject({
      kind: 'request',
    });
  });

  it('keeps own __proto__ and constructor members, and pollutes nothing', () => {
    const read = parseMessage(
      '{"jsonrpc":"2.0","id":1,"method":"x","__proto__":{"params":7},"params":{"__proto__":{"a":1},"constructor":2}}',
    );
    if (read.kind !== 'request') throw new Error(read.kind);
    expect(Object.keys(read.params ?? {})).toEqual(['__proto__', 'constructor']);
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  it('finds no members in a prototype', () => {
    expect(parseMessage('{"jsonrpc":"2.0","id":1,"__proto__":{"method":"ping"}}')).toEqual(refused(1, -32600));
  });
});

const kinds = ['request', 'notification', 'response', 'invalid', 'batch'];

/** Values that are nearly messages, so that every branch is met. */
const nearlyMessages = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
    id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
    method: fc.oneof(fc.string(), fc.jsonValue()),
    params: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
    result: fc.jsonValue(),
    error: fc.oneof(fc.record({ code: fc.integer(), message: fc.string() }), fc.jsonValue()),
  },
  { requiredKeys: [] },
);

describe('parseMessage and readMessage, for anything at all', () => {
  it('give exactly one of the kinds for every JSON value', () => {
    const values = fc.oneof(fc.jsonValue(), nearlyMessages, fc.array(nearlyMessages));
    fc.assert(
      fc.property(values, (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value));
        const read = readMessage(copy);
        expect(kinds).toContain(read.kind);
        expect(unweighed(parseMessage(JSON.stringify(value)))).toEqual(unweighed(read));
        expect(copy).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('never throw, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json().map((text) => text.slice(1)),
        ),
        (text) => {
          expect(kinds).toContain(parseMessage(text).kind);
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it('never answer what has a method and no id, where the envelope is right', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (method, params) => {
        const read = readMessage({ jsonrpc: '2.0', method, params });
        expect(read.kind === 'notification' || (read.kind === 'invalid' && read.silent)).toBe(true);
      }),
    );
  });
});
