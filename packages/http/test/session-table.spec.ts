/** Sessions without HTTP around them: how they are found, and how they end. */
import type { Caller } from '@sigil-mcp/core';
import type { Conversation } from '@sigil-mcp/core/adapter';
import { RunningCalls, type LastingConversation } from '@sigil-mcp/core/internal';
import { NEWEST_HANDSHAKE_REVISION, findRevision, type Revision } from '@sigil-mcp/protocol';
import { ManualClock } from '@sigil-mcp/testing';
import type { EventStream } from '../src/streams/event-stream';
import type { SessionStreams } from '../src/streams/session-streams';
import { endpointLimitsOf, type EndpointLimits } from '../src/options/endpoint-options';
import { SessionTable } from '../src/sessions/session-table';
import type { NewSession, Session, SessionOwner } from '../src/sessions/session';
import { TestConnection } from './session-instance';

/** The stream of a session, which is all that a table sees of its streams. */
class OneStream {
  readonly connection = new TestConnection();
  get isConnected(): boolean {
    return this.connection.isOpen;
  }
  close(): void {
    this.connection.end();
  }
  connectStandalone(connect: (isWaiting: boolean) => EventStream): boolean {
    connect(true);
    return true;
  }
}

let table: SessionTable;
let clock: ManualClock;
let released: Session[];
let opened: OneStream[];
const owner: SessionOwner = {
  openStreams: () => {
    const stream = new OneStream();
    opened.push(stream);
    return stream as unknown as SessionStreams;
  },
  save: () => undefined,
  began: () => undefined,
  done: () => undefined,
  left: () => undefined,
  renewalDelay: 0,
  released: (session) => void released.push(session),
  idled: (session) => table.close(session, () => new Error('idle while it works')),
};
const tableOf = (idleTime = 1000, sessions = 3, limits: EndpointLimits = {}): SessionTable => {
  released = [];
  opened = [];
  clock = new ManualClock();
  const policy = {
    idleTime,
    rememberedFor: idleTime,
    limits: endpointLimitsOf({ sessions, sessionsPerClient: Infinity, ...limits }),
    clock,
  };
  return (table = new SessionTable(policy, owner));
};
afterEach(() => table.closeAll(() => new Error('over')));

/** Opens the stream of a session. */
function listen(session: Session): TestConnection {
  const connection = new TestConnection();
  void session.connectStandalone(() => connection as unknown as EventStream);
  const [stream] = opened.slice(-1);
  Object.assign(stream ?? {}, { connection });
  return connection;
}

const conversationOf = (revision: Revision, running: RunningCalls): Conversation => ({
  revision,
  running,
  clientOf: () => ({ name: undefined, version: undefined, capabilities: {} }),
  logThreshold: () => undefined,
  openQuestions: () => {
    throw new Error('Nobody asks here.');
  },
  lasting: undefined,
});

function newSession(principal?: string, version = NEWEST_HANDSHAKE_REVISION.version): NewSession {
  const running = new RunningCalls();
  const revision = findRevision(version);
  if (!revision) throw new Error(version);
  return {
    conversation: conversationOf(revision, running),
    running,
    caller: { principal } as Caller,
    countedFor: principal ?? 'nobody',
  };
}

function openSession(principal?: string, version?: string): Session {
  return table.open(newSession(principal, version));
}

describe('the table of sessions', () => {
  it('gives ids of visible ASCII that nobody guesses [SESS-001, SESS-002, SESS-003, SESS-008]', () => {
    tableOf(1000, 2000);
    const ids = new Set(Array.from({ length: 1000 }, () => openSession().id));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{32}$/);
  });

  it('finds a session for its principal only [SESS-009]', () => {
    tableOf();
    const [own, nobodys] = [openSession('ada'), openSession()];
    expect(table.find(own.id, 'ada')).toBe(own);
    expect([table.find(own.id, 'eve'), table.find(own.id, undefined), table.find(nobodys.id, 'ada')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('makes room by closing the longest idle session, and cancels what runs in it', () => {
    tableOf();
    const [first, second] = [openSession(), openSession(), openSession()];
    const cancelled: string[] = [];
    second.running.add(1, { cancel: ({ message }) => void cancelled.push(message), abort: () => undefined });
    table.find(first.id, undefined);
    openSession();
    expect([table.size, table.find(second.id, undefined), table.find(first.id, undefined)]).toEqual([
      3,
      undefined,
      first,
    ]);
    expect(cancelled).toEqual(['The session was closed to make room for another one.']);
  });

  it('never cuts off a session that is in use: the newcomer is told to come later', () => {
    tableOf(1000, 2);
    const [busy, idle] = [openSession(), openSession()];
    const { done } = busy.use();
    const streaming = openSession();
    listen(streaming);
    expect([table.find(busy.id, undefined), table.find(idle.id, undefined)]).toEqual([busy, undefined]);
    expect(() => openSession()).toThrow('There are 2 sessions (limits.sessions), and all of them are busy.');
    expect([table.size, busy.closedBy, streaming.closedBy]).toEqual([2, undefined, undefined]);
    done();
    openSession();
    expect([table.size, busy.closedBy?.message]).toEqual([2, 'The session was closed to make room for another one.']);
  });

  it('gives one user no more than a share, and takes it from nobody else', () => {
    tableOf(1000, 10, { sessionsPerClient: 2 });
    const [first, second, others] = [openSession('ada'), openSession('ada'), openSession('eve')];
    const third = openSession('ada');
    expect([first, second, others].map(({ closedBy }) => closedBy !== undefined)).toEqual([true, false, false]);
    for (const session of [second, third]) session.use();
    expect(() => openSession('ada')).toThrow('There are 2 sessions of this client (limits.sessionsPerClient)');
    expect(() => openSession('eve')).not.toThrow();
  });

  it('closes a session whose client is gone, though a call runs in it that never ends', async () => {
    tableOf(1000);
    const [abandoned, waiting] = [openSession(), openSession()];
    const { left } = abandoned.use();
    waiting.use();
    await clock.advance(5000);
    left();
    await clock.advance(900);
    expect([abandoned.closedBy, abandoned.isBusy]).toEqual([undefined, true]);
    await clock.advance(700);
    expect([abandoned.closedBy?.message, waiting.closedBy]).toEqual(['idle while it works', undefined]);
  });

  it('closes what is idle: from its last request, or from the end of its stream', async () => {
    tableOf(1000);
    const [idle, listening, asking] = [openSession(), openSession(), openSession()];
    const connection = listen(listening);
    await clock.advance(900);
    table.find(asking.id, undefined);
    await clock.advance(700);
    expect([idle.closedBy?.message, listening.closedBy, asking.closedBy]).toEqual([
      'The session was idle for too long.',
      undefined,
      undefined,
    ]);
    await clock.advance(5000);
    connection.end();
    await clock.advance(900);
    expect(listening.closedBy).toBeUndefined();
    await clock.advance(700);
    expect([listening.closedBy?.message, table.size]).toEqual(['The session was idle for too long.', 0]);
  });
});

it('closes the session that has an id which another one is adopted under, and counts it no more', () => {
  tableOf(1000, 10, { sessionsPerClient: 2 });
  const [first, second, third] = ['twice', 'twice', 'once'].map((id) => table.adopt(id, newSession('ada')));
  expect([first?.closedBy?.message, second?.closedBy, third?.closedBy, table.size]).toEqual([
    'The client ended the session.',
    undefined,
    undefined,
    2,
  ]);
});

it('has the store end what was closed to make room, and what was idle, and nothing else', async () => {
  tableOf(1000, 2);
  const [first, second, third] = [openSession(), openSession(), openSession()];
  expect(released).toEqual([first]);
  table.close(second, () => new Error('ended by its client'));
  expect(released).toEqual([first]);
  await clock.advance(1600);
  expect(released).toEqual([first, third]);
});

it('forgets what it can read again sooner than what it works for', async () => {
  tableOf(1000);
  const policy = { idleTime: 1000, rememberedFor: 100, limits: endpointLimitsOf(), clock };
  table = new SessionTable(policy, owner);
  const [idle, busy] = [openSession(), openSession()];
  const { left } = busy.use();
  left();
  await clock.advance(300);
  expect([idle.closedBy !== undefined, busy.closedBy]).toEqual([true, undefined]);
  await clock.advance(1000);
  expect(busy.closedBy?.message).toBe('idle while it works');
});

describe('a session that is over', () => {
  it('opens no streams, though its client still had changes to hear of', async () => {
    tableOf();
    const room: (() => void)[] = [];
    let count = 0;
    const push = (): Promise<void> => new Promise<void>((resolve) => room.push(resolve));
    const streams = { push, close: () => undefined, isConnected: true } as unknown as SessionStreams;
    const policy = { idleTime: 1000, rememberedFor: 1000, limits: endpointLimitsOf(), clock: new ManualClock() };
    table = new SessionTable(policy, { ...owner, openStreams: () => (count++, streams) });
    const lasting = { writeChange: (change: object) => change } as unknown as LastingConversation;
    const init = newSession();
    const session = table.open({ ...init, conversation: { ...init.conversation, lasting } });
    for (let turn = 0; turn < 3; turn++) session.hear({ method: 'notifications/tools/list_changed' });
    table.close(session, () => new Error('over'));
    for (const goOn of room) goOn();
    await new Promise(setImmediate);
    expect([count, room.length]).toEqual([1, 1]);
  });

  it('keeps no events of what is said afterwards, and sends it', () => {
    tableOf();
    const session = openSession();
    table.close(session, () => new Error('over'));
    const connection = new TestConnection();
    void session.openStream(connection as unknown as EventStream).send('the last words');
    expect(connection.events).toEqual([{ data: 'the last words' }]);
    expect(session.writeWhole('the last words')).toBe('data: the last words\n\n');
    expect(session.push('a change')).toBeUndefined();
    const connect = (): EventStream => connection as unknown as EventStream;
    for (const come of [() => session.resume('r0-0', connect), () => session.connectStandalone(connect)])
      expect(come).toThrow(expect.objectContaining({ status: 404 }));
    expect(opened).toEqual([]);
  });
});
