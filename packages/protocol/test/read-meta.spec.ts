import type { JsonObject, JsonValue, ProtocolError } from '@sigil-mcp/protocol';
import { HANDSHAKE_REVISIONS, META_KEYS, NEWEST_PER_REQUEST_REVISION } from '@sigil-mcp/protocol';
import { deepFreeze } from './rich-values';

const newest = NEWEST_PER_REQUEST_REVISION;
const complete = deepFreeze({ [META_KEYS.protocolVersion]: '2026-07-28', [META_KEYS.clientCapabilities]: {} });
const invalid = (message: string | RegExp) =>
  expect.objectContaining({ error: 'invalid-params', message: expect.stringMatching(message) }) as ProtocolError;

const handshakes = HANDSHAKE_REVISIONS.map((revision) => [revision.version, revision] as const);

describe.each(handshakes)('readMeta of %s', (_version, revision) => {
  it('needs nothing', () => {
    expect(revision.readMeta(undefined)).toEqual({ all: {} });
    expect(revision.readMeta({})).toEqual({ all: {} });
  });

  it('reads the progress token, a string or an integer', () => {
    for (const progressToken of ['', 'a', 0, 7]) {
      const _meta = deepFreeze({ progressToken, 'com.example/a': 1 });
      expect(revision.readMeta({ _meta })).toEqual({ progressToken, all: _meta });
    }
    for (const progressToken of [1.5, null, true, {}, 2 ** 60, 'x'.repeat(513)]) {
      expect(() => revision.readMeta({ _meta: { progressToken } })).toThrow(
        invalid(/^params\._meta\.progressToken must be an integer or a string of at most 512 characters$/),
      );
    }
  });

  it('reads no per-request members', () => {
    const _meta = { ...complete, [META_KEYS.logLevel]: 'loud' };
    expect(revision.readMeta({ _meta })).toEqual({ all: _meta });
  });

  it('refuses a _meta that is no object', () => {
    for (const _meta of [null, 5, []]) {
      expect(() => revision.readMeta({ _meta })).toThrow(invalid('params._meta must be an object'));
    }
  });
});

describe('readMeta of 2026-07-28', () => {
  const read = (change: Record<string, JsonValue | undefined> = {}) =>
    newest.readMeta({ _meta: { ...complete, ...change } });

  it('needs the version and the capabilities [BASE-025]', () => {
    const { [META_KEYS.protocolVersion]: version, ...noVersion } = complete;
    const incomplete: (JsonObject | undefined)[] = [
      undefined,
      {},
      { _meta: null },
      { _meta: {} },
      { _meta: noVersion },
      { _meta: { [META_KEYS.protocolVersion]: version } },
      { _meta: { ...complete, [META_KEYS.protocolVersion]: 1 } },
      { _meta: { ...complete, [META_KEYS.clientCapabilities]: [] } },
      { _meta: { ...complete, [META_KEYS.clientCapabilities]: { sampling: 5 } } },
    ];
    for (const params of incomplete) {
      expect(() => newest.readMeta(params)).toThrow(invalid(/^params\._meta.* must be /));
    }
  });

  it('does not need to know who asks [BASE-026]', () => {
    expect(read()).toEqual({ all: complete, client: { info: undefined, capabilities: {} } });
  });

  it('reads who asks, and refuses half an identity', () => {
    const info = { name: 'c', version: '1' };
    expect(read({ [META_KEYS.clientInfo]: info }).client?.info).toEqual(info);
    for (const wrong of [null, {}, { name: 'c' }, 'c']) {
      expect(() => read({ [META_KEYS.clientInfo]: wrong })).toThrow(invalid(/clientInfo/));
    }
  });

  it('reads capabilities anew from each request', () => {
    expect(read({ [META_KEYS.clientCapabilities]: { elicitation: { form: {} } } }).client?.capabilities).toEqual({
      elicitation: { form: {} },
    });
    expect(read().client?.capabilities).toEqual({});
  });

  it('reads the level of logging, and refuses an unknown one [LOG-006]', () => {
    expect(read()).not.toHaveProperty('logLevel');
    expect(read({ [META_KEYS.logLevel]: 'debug' }).logLevel).toBe('debug');
    expect(() => read({ [META_KEYS.logLevel]: 'loud' })).toThrow(
      invalid(/^params\._meta\.io\.modelcontextprotocol\/logLevel must be one of debug/),
    );
  });

  it('reads the progress token', () => {
    expect(read({ progressToken: 7 }).progressToken).toBe(7);
    expect(() => read({ progressToken: 1.5 })).toThrow(invalid(/progressToken/));
  });
});
