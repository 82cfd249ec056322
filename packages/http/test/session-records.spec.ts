/** What is known here of a session in the store, beside what other instances say of it. */
import type { Instance } from '@sigil-mcp/core/adapter';
import { MemoryStores } from '@sigil-mcp/core/stores';
import type { Session } from '../src/sessions/session';
import type { SessionRecord } from '../src/sessions/session-record';
import type { Peers } from '../src/sessions/session-messages';
import { SessionRecords } from '../src/sessions/session-records';
import type { SessionTable } from '../src/sessions/session-table';

const CONVERSATION = {
  revision: '2025-11-25',
  name: 'test',
  version: '1',
  capabilities: {},
  level: 'info',
  ready: true,
  subscribed: [],
  roots: 0,
} as const;
const recordOf = (n: number, level: 'debug' | 'info'): SessionRecord => ({
  n,
  endpoint: '/mcp',
  conversation: { ...CONVERSATION, level },
});

it('of two records of a session the newer one holds, in whichever order they are heard of', () => {
  const { sessions } = new MemoryStores();
  const init = {
    idleTime: 1000,
    endpoint: '/mcp',
    table: {} as SessionTable,
    peers: {} as Peers,
    work: undefined,
  };
  const records = new SessionRecords({ ...init, store: sessions });
  const restored: string[] = [];
  const lasting = {
    share: () => undefined,
    restore: ({ level }: { level: string }) => restored.push(level),
    record: CONVERSATION,
  };
  const session = { id: 'session', principal: undefined, conversation: { lasting } } as unknown as Session;
  const first = recordOf(5, 'info');
  records.track(session, { id: 'here', changes: { latest: undefined } } as Instance, {
    text: JSON.stringify(first),
    record: first,
  });
  for (const [n, level] of [
    [4, 'debug'],
    [5, 'debug'],
    [7, 'debug'],
    [6, 'info'],
  ] as const)
    records.receive(session, JSON.stringify(recordOf(n, level)));
  expect([records.leaseOf(session).n, restored]).toEqual([7, ['debug']]);
});
