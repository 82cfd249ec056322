import {
  parseMessage,
  writeBatch,
  writeError,
  writeNotification,
  writeRequest,
  writeResponse,
  writeResult,
} from '@sigil-mcp/protocol';
import fc from 'fast-check';

const parse = (text: string): unknown => JSON.parse(text);

describe('the writers of messages', () => {
  it('write responses around serialised results [BASE-001]', () => {
    expect(parse(writeResponse(1, '{"tools":[]}'))).toEqual({ jsonrpc: '2.0', id: 1, result: { tools: [] } });
    expect(writeResult('a', { ok: true })).toBe(writeResponse('a', '{"ok":true}'));
  });

  const ids = [1, '1', 0, -3, 'a"b\n\u2028', '', Number.MAX_SAFE_INTEGER];

  it.each(ids)('keep the JSON type of an id: %j [BASE-003]', (id) => {
    expect(parse(writeResult(id, {}))).toHaveProperty('id', id);
    expect(parse(writeError(id, { code: 1, message: 'no' }))).toHaveProperty('id', id);
  });

  it('write an error with its code, message and data [BASE-004] [BASE-005] [BASE-006]', () => {
    const error = { code: -32602, message: 'no', data: { uri: 'a' } };
    expect(parse(writeError(1, error))).toEqual({ jsonrpc: '2.0', id: 1, error });
  });

  it('write an unreadable id as null, or leave it out [BASE-007]', () => {
    const error = { code: -32700, message: 'no' };
    expect(parse(writeError(null, error))).toEqual({ jsonrpc: '2.0', id: null, error });
    expect(parse(writeError(undefined, error))).toEqual({ jsonrpc: '2.0', error });
  });

  it('write notifications without an id [BASE-011] and requests with one', () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/message', params: { a: 1 } } as const;
    expect(parse(writeNotification(notification))).toEqual(notification);
    const request = { jsonrpc: '2.0', id: 's-1', method: 'roots/list' } as const;
    expect(parse(writeRequest(request))).toEqual(request);
  });

  it('write batches', () => {
    expect(parse(writeBatch([writeResult(1, {}), writeResult(2, {})]))).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  it('write on one line what the parser reads back', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.string()), fc.dictionary(fc.string(), fc.string()), (id, result) => {
        const text = writeResult(id, result);
        expect(text).not.toMatch(/[\r\n]/);
        expect(parseMessage(text)).toMatchObject({ kind: 'response', id });
      }),
    );
  });
});
