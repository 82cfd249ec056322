/** Sessions without HTTP around them: their streams, their end, and what they keep in memory. */
import type { Caller } from '@sigil-mcp/core';
import { RunningCalls, type Conversation, type LastingConversation } from '@sigil-mcp/core/adapter';
import { NEWEST_HANDSHAKE_REVISION, findRevision, type Revision } from '@sigil-mcp/protocol';
import { ManualClock } from '@sigil-mcp/testing';
import type { SseEvent } from '../src/streams/sse-event';
import type { EventStream } from '../src/streams/event-stream';
import { endpointLimitsOf, type EndpointLimits } from '../src/options/endpoint-limits';
import { SessionTable, type NewSession } from '../src/sessions/session-table';
import type { SessionStreams } from '../src/sessions/session-streams';
import type { Session } from '../src/sessions/session';

/** A connection that writes down what it is given. */
class Connection {
  isOpen = true;
  wasDelivered = false;
  readonly events: SseEvent[] = [];
  readonly #listeners: (() => void)[] = [];
  send(event: SseEvent): void {
    this.events.push(event);
  }
  open(): void {}
  end(): void {
    this.isOpen = false;
    for (const listener of this.#listeners) listener();
  }
  giveWay(): void {
    this.end();
  }
  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }
  /** The client has read everything. */
  deliver(): void {
    this.wasDelivered = true;
    this.end();
  }
  get data(): string[] {
    return this.events.map(({ data }) => data);
  }
  /** Only what a session uses of a stream is here. */
  get stream(): EventStream {
    return this as unknown as EventStream;
  }
}

let table: SessionTable;
let clock: ManualClock;
const tableOf = (idleTime = 1000, sessions = 3, limits: EndpointLimits = {}): SessionTable =>
  (table = new SessionTable({
    idleTime,
    retryInterval: 250,
    limits: endpointLimitsOf({ sessions, ...limits }),
    clock: (clock = new ManualClock()),
  }));
afterEach(() => table.closeAll(new Error('over')));

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
    const connection = new Connection();
    const streaming = openSession();
    expect(streaming.connectStandalone(() => connection.stream)).toBe(true);
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
    expect([abandoned.closedBy?.message, waiting.closedBy]).toEqual(['The session was idle for too long.', undefined]);
  });

  it('closes what is idle: from its last request, or from the end of its stream', async () => {
    tableOf(1000);
    const [idle, listening, asking] = [openSession(), openSession(), openSession()];
    const connection = new Connection();
    expect(listening.connectStandalone(() => connection.stream)).toBe(true);
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

describe('a session that is over', () => {
  it('opens no streams, though its client still had changes to hear of', async () => {
    let opened = 0;
    const room: (() => void)[] = [];
    const streams = {
      push: () => new Promise<void>((resolve) => room.push(resolve)),
      close: () => undefined,
      isConnected: true,
    } as unknown as SessionStreams;
    const openStreams = (): SessionStreams => {
      opened++;
      return streams;
    };
    const policy = { idleTime: 1000, retryInterval: 250, limits: endpointLimitsOf(), clock: new ManualClock() };
    table = new SessionTable(policy, { openStreams, save: () => undefined, remembered: 1000, idled: () => undefined });
    const lasting = { writeChange: (change: object) => change } as unknown as LastingConversation;
    const init = newSession();
    const session = table.open({ ...init, conversation: { ...init.conversation, lasting } });
    for (let count = 0; count < 3; count++) session.hear({ method: 'notifications/tools/list_changed' });
    table.close(session, new Error('over'));
    for (const goOn of room) goOn();
    await new Promise(setImmediate);
    expect([opened, room.length]).toEqual([1, 1]);
  });

  it('keeps no events of what is said afterwards, and sends it', () => {
    tableOf();
    const session = openSession();
    table.close(session, new Error('over'));
    const connection = new Connection();
    void session.openStream(connection.stream).send('the last words');
    expect(connection.events).toEqual([{ data: 'the last words' }]);
    expect(session.writeWhole('the last words')).toEqual({ body: 'data: the last words\n\n' });
    expect(session.push('a change')).toBeUndefined();
    for (const come of [
      () => session.resume('r0-0', () => connection.stream),
      () => session.connectStandalone(() => connection.stream),
    ])
      expect(come).toThrow(expect.objectContaining({ status: 404 }));
  });
});

describe('a session', () => {
  it('knows no event that it never gave out: not of a stream that was never opened, nor from before one was', () => {
    tableOf();
    const session = openSession(undefined, '2025-06-18');
    for (const text of ['a', 'b']) void session.openStream(new Connection().stream).send(text);
    const resume = (id: string): unknown => session.resume(id, () => new Connection().stream);
    expect(['session-0', 'session-1'].map(resume)).toEqual(['unknown', 'unknown']);
    void session.push('a change');
    expect(['session-1', 'r1-0', 'session-2', 'r1-1'].map(resume)).toEqual([
      'unknown',
      'unknown',
      'resumed',
      'resumed',
    ]);
  });

  it('keeps what it has to say until somebody listens, within bounds [HTTP-021]', () => {
    tableOf(1000, 3, { streamEvents: 100 });
    const session = openSession();
    for (let n = 0; n < 500; n++) void session.push(`n${n}`);
    const connection = new Connection();
    expect(session.connectStandalone(() => connection.stream)).toBe(true);
    expect(connection.data).toEqual(Array.from({ length: 100 }, (_, n) => `n${n + 400}`));
    expect(session.connectStandalone(() => new Connection().stream)).toBe(false);
    void session.push('now');
    expect(connection.data.at(-1)).toBe('now');
  });

  it('says nothing twice', () => {
    tableOf();
    const session = openSession();
    const [one, two] = [new Connection(), new Connection()];
    expect(session.connectStandalone(() => one.stream)).toBe(true);
    void session.push('a');
    one.end();
    expect(session.connectStandalone(() => two.stream)).toBe(true);
    expect(two.data).toEqual(['']);
  });

  it('takes equal messages of a call in a row for as many, and an announcement for one', () => {
    tableOf();
    const session = openSession();
    const stream = session.openStream(new Connection().stream);
    stream.release?.();
    for (let count = 0; count < 3; count++) void stream.send('the same words');
    for (let count = 0; count < 3; count++) void session.push('a list has changed');
    const again = new Connection();
    expect(session.resume('r0-0', () => again.stream)).toBe('resumed');
    expect(again.data).toEqual(['the same words', 'the same words', 'the same words']);
    const standalone = new Connection();
    expect(session.connectStandalone(() => standalone.stream)).toBe(true);
    expect(standalone.data).toEqual(['a list has changed']);
  });

  it('lets no greeting go before what was missed, because its id would skip it [RESUME-005, RESUME-007]', () => {
    tableOf();
    const session = openSession();
    const stream = session.openStream(new Connection().stream);
    stream.release?.();
    for (const text of ['a', 'b', 'c']) void stream.send(text);
    const again = new Connection();
    expect(session.resume('r0-0', () => again.stream)).toBe('resumed');
    expect(again.data).toEqual(['a', 'b', 'c']);
    expect(again.events[0]).toMatchObject({ retry: 250 });
    // The connection breaks after its first event: nothing behind that is lost.
    again.end();
    const third = new Connection();
    expect(session.resume(again.events[0]?.id ?? '', () => third.stream)).toBe('resumed');
    expect(third.data).toEqual(['b', 'c']);
  });

  it('greets with an id of its own each time that nothing was missed [RESUME-002, RESUME-005]', () => {
    tableOf();
    const session = openSession();
    const connections = [new Connection(), new Connection(), new Connection()];
    const ids = connections.map((connection) => {
      expect(session.connectStandalone(() => connection.stream)).toBe(true);
      connection.end();
      return connection.events[0]?.id;
    });
    expect(new Set(ids).size).toBe(3);
  });

  it('resumes a stream that is over as long as its log holds it, and no other [RESUME-001, RESUME-008]', () => {
    tableOf();
    const session = openSession(undefined, '2025-06-18');
    const stream = session.openStream(new Connection().stream);
    for (const text of ['a', 'b']) void stream.send(text);
    stream.end();
    const again = new Connection();
    expect(session.resume('r0-0', () => again.stream)).toBe('resumed');
    expect([again.data, again.isOpen]).toEqual([['b'], false]);
    expect(session.resume('r7-0', () => new Connection().stream)).toBe('unknown');
    expect(session.resume('nonsense', () => new Connection().stream)).toBe('unknown');
    const other = session.openStream(new Connection().stream);
    for (let n = 0; n < 3; n++) void other.send('x'.repeat(500_000));
    expect(session.resume('r0-0', () => new Connection().stream)).toBe('gone');
  });

  it('says of an event whose successors are gone that it came too late, and leaves no gap [RESUME-003]', () => {
    tableOf(1000, 3, { streamEvents: 2 });
    const session = openSession(undefined, '2025-06-18');
    const stream = session.openStream(new Connection().stream);
    for (const text of ['a', 'b', 'c']) void stream.send(text);
    const again = new Connection();
    expect(session.resume('r0-0', () => again.stream)).toBe('resumed');
    expect(again.data).toEqual(['b', 'c']);
    void stream.send('d');
    expect(session.resume('r0-0', () => new Connection().stream)).toBe('gone');
    expect(session.resume('r0-1', () => again.stream)).toBe('resumed');
  });

  it('keeps the events of a stream that was delivered for a moment, in case the last of them were lost', async () => {
    tableOf(60_000);
    const session = openSession(undefined, '2025-06-18');
    const connection = new Connection();
    const stream = session.openStream(connection.stream);
    for (const text of ['a', 'b']) void stream.send(text);
    connection.wasDelivered = true;
    stream.end();
    await clock.advance(5000);
    const again = new Connection();
    expect(session.resume('r0-0', () => again.stream)).toBe('resumed');
    expect(again.data).toEqual(['b']);
    await clock.advance(16_000);
    expect(session.resume('r0-0', () => new Connection().stream)).toBe('gone');
  });

  it('keeps what nobody has read to its end', async () => {
    tableOf(60_000);
    const session = openSession(undefined, '2025-06-18');
    const connection = new Connection();
    const stream = session.openStream(connection.stream);
    for (const text of ['a', 'b']) void stream.send(text);
    connection.end();
    stream.end();
    await clock.advance(30_000);
    expect(session.resume('r0-0', () => new Connection().stream)).toBe('resumed');
  });

  it('has one connection for each stream: who comes back takes it over', () => {
    tableOf();
    const session = openSession();
    const [one, two] = [new Connection(), new Connection()];
    const stream = session.openStream(one.stream);
    void stream.send('a');
    expect(session.resume(one.events[0]?.id ?? '', () => two.stream)).toBe('resumed');
    void stream.send('b');
    expect([one.isOpen, one.data, two.data]).toEqual([false, ['', 'a'], ['a', 'b']]);
  });

  it('does not let go of a connection whose client could not come back [RESUME-006]', () => {
    tableOf();
    const [polled, plain] = [new Connection(), new Connection()];
    openSession().openStream(polled.stream).release?.();
    openSession(undefined, '2025-06-18').openStream(plain.stream).release?.();
    expect([polled.isOpen, plain.isOpen]).toEqual([false, true]);
  });
});
