import type { JsonObject, Method } from '@sigil-mcp/protocol';
import { ALL_REVISIONS, HANDSHAKE_REVISIONS, NEWEST_PER_REQUEST_REVISION, ProtocolError } from '@sigil-mcp/protocol';
import { deepFreeze } from './rich-values';

const newest = NEWEST_PER_REQUEST_REVISION;
const asking: readonly Method[] = ['tools/call', 'prompts/get', 'resources/read'];
const answers = JSON.parse('{"city":{"action":"accept"},"__proto__":{"action":"cancel"}}') as JsonObject;

function refusal(params: JsonObject): string {
  try {
    newest.readRetry('tools/call', deepFreeze(params));
  } catch (error) {
    if (error instanceof ProtocolError && error.error === 'invalid-params') return error.message;
    throw error;
  }
  throw new Error('The retry was read.');
}

describe('readRetry', () => {
  it.each(asking)('reads the answers and the state of %s as they came', (method) => {
    const retry = newest.readRetry(method, deepFreeze({ inputResponses: answers, requestState: 'sealed' }));
    expect(retry).toEqual({ inputResponses: answers, requestState: 'sealed' });
    expect(Object.keys(retry?.inputResponses ?? {})).toEqual(['city', '__proto__']);
  });

  it('reads answers without a state, and a state without answers', () => {
    expect(newest.readRetry('tools/call', { inputResponses: {} })).toEqual({
      inputResponses: {},
      requestState: undefined,
    });
    expect(newest.readRetry('tools/call', { requestState: '' })).toEqual({ inputResponses: {}, requestState: '' });
  });

  it('finds nothing in a request that was not sent before', () => {
    for (const params of [undefined, {}, { name: 'a' }, Object.create({ requestState: 'inherited' }) as JsonObject])
      expect(newest.readRetry('tools/call', params)).toBeUndefined();
  });

  it('finds nothing where no question can have been', () => {
    expect(newest.readRetry('tools/list', { requestState: 'sealed' })).toBeUndefined();
    for (const revision of HANDSHAKE_REVISIONS) {
      expect(revision.readRetry('tools/call', { inputResponses: {}, requestState: 'sealed' })).toBeUndefined();
      expect(revision.questions).toBe('requests');
    }
    expect(newest.questions).toBe('results');
    for (const { mayAsk } of ALL_REVISIONS) expect([...mayAsk].sort()).toEqual([...asking].sort());
  });

  it.each<[JsonObject, string]>([
    [{ inputResponses: null }, 'params.inputResponses must be an object'],
    [{ inputResponses: [] }, 'params.inputResponses must be an object'],
    [{ inputResponses: { city: 'Oslo' } }, 'params.inputResponses.city must be an object'],
    [{ requestState: 7 }, 'params.requestState must be a string'],
    [{ requestState: null }, 'params.requestState must be a string'],
  ])('refuses %j [MRTR-015]', (params, message) => {
    expect(refusal(params)).toBe(message);
  });
});
