import {
  ALL_REVISIONS,
  HANDSHAKE_REVISIONS,
  NEWEST_HANDSHAKE_REVISION,
  NEWEST_PER_REQUEST_REVISION,
  PER_REQUEST_REVISIONS,
  findRevision,
} from '@sigil-mcp/protocol';

const versions = (revisions: readonly { version: string }[]) => revisions.map(({ version }) => version);

describe('the revisions', () => {
  it('are five, oldest first', () => {
    expect(versions(ALL_REVISIONS)).toEqual(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']);
  });

  it('shake hands until 2025-11-25; 2026-07-28 is never offered in a handshake', () => {
    expect(versions(HANDSHAKE_REVISIONS)).toEqual(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);
    expect(versions(PER_REQUEST_REVISIONS)).toEqual(['2026-07-28']);
    expect(NEWEST_HANDSHAKE_REVISION).toBe(HANDSHAKE_REVISIONS.at(-1));
    expect(NEWEST_PER_REQUEST_REVISION).toBe(PER_REQUEST_REVISIONS.at(-1));
  });

  it('are found by their date and nothing else', () => {
    for (const revision of ALL_REVISIONS) expect(findRevision(revision.version)).toBe(revision);
    for (const version of ['', '2025-06-17', 'constructor', '__proto__']) expect(findRevision(version)).toBeUndefined();
  });

  it('have batches in 2025-03-26 only', () => {
    expect(versions(ALL_REVISIONS.filter(({ batches }) => batches))).toEqual(['2025-03-26']);
  });

  it('know the requests of the handshake, or server/discover in their place', () => {
    const handshake = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];
    const shared = ['tools/list', 'tools/call', 'resources/list', 'resources/templates/list', 'resources/read'];
    const all = [...shared, 'prompts/list', 'prompts/get', 'completion/complete'];
    for (const { requests } of HANDSHAKE_REVISIONS) expect([...requests].sort()).toEqual([...handshake, ...all].sort());
    for (const { requests } of PER_REQUEST_REVISIONS) {
      expect([...requests].sort()).toEqual(['server/discover', 'subscriptions/listen', ...all].sort());
    }
  });

  it('know of the client only notifications/cancelled since 2026-07-28', () => {
    expect([...NEWEST_PER_REQUEST_REVISION.notifications]).toEqual(['notifications/cancelled']);
    for (const { notifications } of HANDSHAKE_REVISIONS) {
      expect([...notifications].sort()).toEqual([
        'notifications/cancelled',
        'notifications/initialized',
        'notifications/progress',
        'notifications/roots/list_changed',
      ]);
    }
  });

  it('leave the id of an unreadable message out where the schema says so [BASE-007]', () => {
    expect(ALL_REVISIONS.map(({ unreadableId }) => unreadableId)).toEqual([null, null, null, undefined, undefined]);
  });
});

describe('the HTTP rules', () => {
  const rules = (key: 'sessions' | 'getStream' | 'replay' | 'polling' | 'versionHeader' | 'disconnectCancels') =>
    ALL_REVISIONS.map(({ http }) => http[key]);

  it('have sessions, GET streams and replay until 2025-11-25', () => {
    for (const key of ['sessions', 'getStream', 'replay'] as const) {
      expect(rules(key)).toEqual([true, true, true, true, false]);
    }
  });

  it('check the version header from 2025-06-18 on, and poll in 2025-11-25 only', () => {
    expect(rules('versionHeader')).toEqual([false, false, true, true, true]);
    expect(rules('polling')).toEqual([false, false, false, true, false]);
  });

  it('take a closed connection for a cancellation since 2026-07-28', () => {
    expect(rules('disconnectCancels')).toEqual([false, false, false, false, true]);
  });

  it('repeat what a request is about in Mcp-Name since 2026-07-28', () => {
    expect([...NEWEST_PER_REQUEST_REVISION.http.nameHeader]).toEqual([
      ['tools/call', 'name'],
      ['resources/read', 'uri'],
      ['prompts/get', 'name'],
    ]);
    for (const { http } of HANDSHAKE_REVISIONS) expect(http.nameHeader.size).toBe(0);
  });

  it('require headers and give statuses to errors in 2026-07-28', () => {
    const { requiredHeaders, errorStatus } = NEWEST_PER_REQUEST_REVISION.http;
    expect(requiredHeaders).toEqual(['mcp-protocol-version', 'mcp-method']);
    for (const { http } of HANDSHAKE_REVISIONS) expect(http.requiredHeaders).toEqual([]);
    expect(errorStatus).toEqual({
      '-32700': 400,
      '-32600': 400,
      '-32601': 404,
      '-32020': 400,
      '-32021': 400,
      '-32022': 400,
    });
  });
});
