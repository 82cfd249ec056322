/** An instance of a server as its sessions see it, without HTTP around it: what requests of one session do, in whatever order they come. */
import { createServer, type Server } from '@sigil-mcp/core';
import { ANONYMOUS, RunningCalls, andThen, type TransportHost } from '@sigil-mcp/core/adapter';
import type { Stores } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import { ClientLoads } from '../src/exchange/client-loads';
import { HttpCall } from '../src/call';
import type { HttpRequest } from '../src/port';
import { endpointLimitsOf } from '../src/options/endpoint-limits';
import { SessionTable } from '../src/sessions/session-table';
import type { Session } from '../src/sessions/session';
import { SharedSessions } from '../src/shared/shared-sessions';
import type { SseEvent } from '../src/streams/sse-event';
import type { EventStream } from '../src/streams/event-stream';

/** The connection of a GET, which writes down what it is given. */
export class TestConnection {
  isOpen = true;
  readonly events: SseEvent[] = [];
  readonly wasDelivered = true;
  readonly #listeners: (() => void)[] = [];
  send(event: SseEvent): void {
    if (this.isOpen) this.events.push(event);
  }
  open(): void {}
  giveWay(): void {
    this.end();
  }
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const listener of this.#listeners) listener();
  }
  onClose(listener: () => void): void {
    this.#listeners.push(listener);
  }
  /** The resources that it was told have changed, in order. */
  get told(): string[] {
    return this.events.flatMap(({ data }) => {
      const { params } = JSON.parse(data || '{}') as { params?: { uri?: string } };
      return params?.uri === undefined ? [] : [params.uri];
    });
  }
}

/** What a request came to. */
export type Outcome = 'done' | number;

/** Opens an instance; alone without stores. */
export async function openInstance(stores?: Stores): Promise<SessionInstance> {
  const clock = new ManualClock();
  let host: TransportHost | undefined;
  const server = createServer({
    name: 'races',
    version: '1.0.0',
    logger: false,
    clock,
    capabilities: ['resources'],
    ...(stores && { stores, requestState: { secrets: ['s'.repeat(32)] } }),
  });
  await server.listen({ open: async (opened) => void (host = opened), close: async () => undefined });
  if (!host) throw new Error('The server did not open its transport.');
  return new SessionInstance(server, host, clock);
}

export class SessionInstance {
  readonly #shared: SharedSessions | undefined;
  readonly table: SessionTable;
  readonly connections: TestConnection[] = [];

  constructor(
    readonly server: Server,
    private readonly host: TransportHost,
    readonly clock: ManualClock,
  ) {
    const { kernel, instance } = host;
    const policy = { idleTime: 60_000, retryInterval: 1, limits: endpointLimitsOf(), clock };
    this.#shared =
      instance && new SharedSessions({ instance, kernel, loads: new ClientLoads(), policy, endpoint: '/mcp' });
    this.table = this.#shared?.table ?? new SessionTable(policy);
  }

  /** How many hear of changes here. */
  get listeners(): number {
    return this.host.kernel.listeners.size;
  }

  /** Opens a session whose client has subscribed to some resources; its id. */
  async initialize(subscribed: readonly string[]): Promise<string> {
    const running = new RunningCalls();
    const record = { revision: '2025-11-25', name: 'test', version: '1', capabilities: {}, level: 'info' } as const;
    const { conversations, listeners } = this.host.kernel;
    const conversation = conversations.reopen({ ...record, ready: true, subscribed, roots: 0 }, running);
    if (!conversation) throw new Error('There is no such revision.');
    const session = this.table.open({ conversation, running, caller: ANONYMOUS, countedFor: 'nobody' });
    if (this.#shared) this.#shared.opened(session);
    else session.follow(listeners);
    await session.save();
    return session.id;
  }

  /** Opens the stream of a session, or goes on with it after an event. */
  get(id: string, lastEventId?: string): Promise<Outcome> {
    const connect = (): EventStream => {
      const connection = new TestConnection();
      this.connections.push(connection);
      return connection as unknown as EventStream;
    };
    return this.#request(id, (session) => {
      if (lastEventId === undefined)
        return andThen(session.connectStandalone(connect), (isOpen) => (isOpen ? 'done' : 409));
      return andThen(session.resume(lastEventId, connect), (outcome) =>
        outcome === 'resumed' ? 'done' : outcome === 'gone' ? 410 : 400,
      );
    });
  }

  /** Subscribes to a resource. */
  subscribe(id: string, uri: string): Promise<Outcome> {
    return this.#request(id, async (session): Promise<Outcome> => {
      const { done } = session.use();
      session.conversation.lasting?.subscribe(uri, () => undefined)(true);
      try {
        await session.save();
        return 'done';
      } finally {
        done();
      }
    });
  }

  /** What a session is subscribed to, as far as it is known here. */
  subscribed(id: string): readonly string[] {
    return this.table.get(id)?.subscribed() ?? [];
  }

  /** Ends a session. */
  delete(id: string): Promise<Outcome> {
    return this.#request(id, async (session): Promise<Outcome> => {
      if (this.#shared) await this.#shared.end(session);
      else this.table.close(session, new Error('ended'));
      return 'done';
    });
  }

  async close(): Promise<void> {
    if (this.#shared) this.#shared.close(new Error('over'));
    else this.table.closeAll(new Error('over'));
    await this.server.close();
  }

  async #request(id: string, act: (session: Session) => Outcome | Promise<Outcome>): Promise<Outcome> {
    const request = { headers: { 'mcp-session-id': id }, address: '127.0.0.1' };
    const call = new HttpCall(request as unknown as HttpRequest);
    try {
      const found = this.#shared?.look(call);
      // As the routes have it: what is prepared is done right before the request is handled.
      (await found)?.();
      const session = this.table.find(id, undefined);
      return session ? await act(session) : 404;
    } catch (error) {
      if (error instanceof Error && error.name === 'StoreAway') return 503;
      if (error instanceof Error && 'status' in error) return Number(error.status);
      throw error;
    }
  }
}
