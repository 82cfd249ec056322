/** The judge itself is judged: known good and bad messages of every revision. */
import { describeWithSchemas } from './official-schema';
import { validateMessage } from './judge-message';
import { messageShapeErrors } from './message-shape';

const perRequest = '2026-07-28';
const handshakes = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const revisions = [...handshakes, perRequest];

const tool = { name: 'forecast', inputSchema: { type: 'object' } };
const meta = {
  'io.modelcontextprotocol/protocolVersion': perRequest,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A tools/list result as the revision wants it. */
const listed = (revision: string, tools: unknown[]): object => ({
  jsonrpc: '2.0',
  id: 1,
  result: revision === perRequest ? { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'public' } : { tools },
});

describeWithSchemas('the official schemas', (schemas) => {
  it('are there for the five revisions', () => {
    expect([...schemas().keys()]).toEqual(expect.arrayContaining(revisions));
  });

  describe.each(revisions)('under %s', (revision) => {
    const errors = (message: unknown, method?: string, direction: 'client' | 'server' = 'server'): string[] =>
      validateMessage(revision, message, { direction, ...(method && { method }) });

    it('accept a typed result and refuse one that lacks something', () => {
      expect(errors(listed(revision, [tool]), 'tools/list')).toEqual([]);
      expect(errors(listed(revision, [{ name: 'forecast' }]), 'tools/list')).not.toEqual([]);
      expect(errors({ jsonrpc: '2.0', id: 1, result: {} }, 'tools/list')).not.toEqual([]);
    });

    it('accept an error response and refuse a code that is no integer', () => {
      expect(errors({ jsonrpc: '2.0', id: 'a', error: { code: -32601, message: 'no' } })).toEqual([]);
      expect(errors({ jsonrpc: '2.0', id: 'a', error: { code: '-32601', message: 'no' } })).not.toEqual([]);
      expect(errors({ jsonrpc: '2.0', id: 'a', error: { code: -32601 } })).not.toEqual([]);
    });

    it('refuse broken envelopes', () => {
      expect(errors({ id: 1, result: {} })).not.toEqual([]);
      expect(errors({ jsonrpc: '2.0', id: 1 })).not.toEqual([]);
      expect(errors({ jsonrpc: '2.0', id: 1.5, result: {} })).not.toEqual([]);
      expect(errors({ jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } })).not.toEqual([]);
      expect(errors('text')).not.toEqual([]);
    });

    it('accept a typed notification and refuse an unknown or a broken one', () => {
      const progress = (params: object): object => ({ jsonrpc: '2.0', method: 'notifications/progress', params });
      expect(errors(progress({ progressToken: 1, progress: 0.5 }))).toEqual([]);
      expect(errors(progress({ progressToken: 1 }))).not.toEqual([]);
      expect(errors({ jsonrpc: '2.0', method: 'notifications/other' })).not.toEqual([]);
      expect(errors({ jsonrpc: '2.0', id: 1, method: 'notifications/progress', params: {} })).not.toEqual([]);
    });

    it('accept a typed request and refuse one of the wrong side', () => {
      const params = { name: 'forecast', ...(revision === perRequest && { _meta: meta }) };
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      expect(errors(request, undefined, 'client')).toEqual([]);
      expect(errors(request, undefined, 'server')).not.toEqual([]);
      expect(errors({ ...request, params: {} }, undefined, 'client')).not.toEqual([]);
    });

    it('have batches in 2025-03-26 only', () => {
      const accepted = errors([listed(revision, [])], 'tools/list').length === 0;
      expect(accepted).toBe(revision === '2025-03-26');
      expect(errors([])).not.toEqual([]);
    });
  });

  it.each(handshakes)('accept an empty result for ping under %s', (revision) => {
    const answer = { jsonrpc: '2.0', id: 1, result: {} };
    expect(validateMessage(revision, answer, { direction: 'server', method: 'ping' })).toEqual([]);
  });

  it('want resultType and caching hints under 2026-07-28', () => {
    const bare = { jsonrpc: '2.0', id: 1, result: { tools: [] } };
    expect(validateMessage(perRequest, bare, { direction: 'server', method: 'tools/list' })).not.toEqual([]);
    expect(validateMessage(perRequest, bare, { direction: 'server', method: 'ping' })).not.toEqual([]);
  });

  it('know the answer to what could not be read', () => {
    const error = { code: -32700, message: 'not JSON' };
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18']) {
      expect(validateMessage(revision, { jsonrpc: '2.0', id: null, error })).toEqual([]);
    }
    for (const revision of ['2025-11-25', perRequest]) {
      expect(validateMessage(revision, { jsonrpc: '2.0', error })).toEqual([]);
    }
  });
});

describe('the envelope of a message, judged on every machine', () => {
  const good = [
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 'a', error: { code: -32601, message: 'no' } },
    { jsonrpc: '2.0', error: { code: -32700, message: 'not JSON' } },
    { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'not JSON' } },
    { jsonrpc: '2.0', method: 'notifications/progress', params: {} },
    { jsonrpc: '2.0', id: 7, method: 'roots/list' },
    [{ jsonrpc: '2.0', id: 1, result: {} }],
  ];
  const bad = [
    'text',
    null,
    [],
    [[]],
    [{ jsonrpc: '2.0', id: 1, result: {} }, 1],
    { id: 1, result: {} },
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', result: {} },
    { jsonrpc: '2.0', id: 1.5, result: {} },
    { jsonrpc: '2.0', id: null, result: {} },
    { jsonrpc: '2.0', id: 1, result: [] },
    { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } },
    { jsonrpc: '2.0', id: 1, error: { code: '1', message: '' } },
    { jsonrpc: '2.0', id: 1, error: { code: 1 } },
    { jsonrpc: '2.0', id: {}, error: { code: 1, message: '' } },
    { jsonrpc: '2.0', method: 1 },
    { jsonrpc: '2.0', method: 'ping', params: [] },
    { jsonrpc: '2.0', method: 'ping', id: null },
    { jsonrpc: '2.0', method: 'ping', id: 1, result: {} },
  ];

  it.each(good)('accepts %j', (message) => expect(messageShapeErrors(message)).toEqual([]));
  it.each(bad)('refuses %j', (message) => expect(messageShapeErrors(message)).not.toEqual([]));
});
