/** An instance of a server as its sessions see it, without HTTP around it: what requests of one session do, in whatever order they come. */
import { createServer, type Server } from '@sigil-mcp/core';
import { ANONYMOUS, type TransportHost } from '@sigil-mcp/core/adapter';
import { RunningCalls, andThen } from '@sigil-mcp/core/internal';
import type { MemoryStores, Stores } from '@sigil-mcp/core/stores';
import { ManualClock } from '@sigil-mcp/testing';
import { HttpCall } from '../src/call';
import type { HttpRequest } from '../src/port';
import { endpointLimitsOf, type EndpointLimits } from '../src/options/endpoint-options';
import type { Session } from '../src/sessions/session';
import { Sessions } from '../src/sessions/sessions';
import type { SessionTable } from '../src/sessions/session-table';
import type { EventStream, Outlet, SseEvent } from '../src/streams/event-stream';

/** The connection of a GET, which writes down what it is given. */
export class TestConnection {
  isOpen = true;
  readonly events: SseEvent[] = [];
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
  get data(): string[] {
    return this.events.map(({ data }) => data);
  }
  /** The ids of its events. */
  get ids(): string[] {
    return this.events.map(({ id = '' }) => id);
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
export async function openInstance(stores?: Stores, limits?: EndpointLimits): Promise<SessionInstance> {
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
  return new SessionInstance(server, host, { clock, limits });
}

export class SessionInstance {
  readonly #sessions: Sessions;
  readonly table: SessionTable;
  readonly clock: ManualClock;
  readonly connections: TestConnection[] = [];

  constructor(
    readonly server: Server,
    private readonly host: TransportHost,
    { clock, limits }: { readonly clock: ManualClock; readonly limits: EndpointLimits | undefined },
  ) {
    this.clock = clock;
    const { kernel, instance } = host;
    const policy = { idleTime: 60_000, retryInterval: 250, limits: endpointLimitsOf(limits), clock };
    this.#sessions = new Sessions({ instance, kernel, ...policy, endpoint: '/mcp' });
    this.table = this.#sessions.table;
  }

  /** The bytes that the memory of this process keeps of streams. */
  get keptBytes(): number {
    const { size } = this.host.instance.stores.streams as MemoryStores['streams'];
    return size.bytes;
  }

  /** How many hear of changes here. */
  get listeners(): number {
    return this.host.kernel.context.listeners.size;
  }

  /** Opens a session whose client has subscribed to some resources; its id. */
  async initialize(subscribed: readonly string[], revision = '2025-11-25'): Promise<string> {
    const running = new RunningCalls();
    const record = { revision, name: 'test', version: '1', capabilities: {}, level: 'info' } as const;
    const { conversations } = this.host.kernel;
    const conversation = conversations.reopen({ ...record, ready: true, subscribed, roots: 0 }, running);
    if (!conversation) throw new Error('There is no such revision.');
    const session = this.#sessions.open({ conversation, running, caller: ANONYMOUS, countedFor: 'nobody' });
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
      if (lastEventId === undefined) return andThen(session.connectStandalone(connect), () => 'done');
      return andThen(session.resume(lastEventId, connect), (outcome) =>
        outcome === 'resumed' ? 'done' : outcome === 'gone' ? 410 : 400,
      );
    });
  }

  /** Opens the stream of a request of a session, as a POST does. */
  open(id: string): readonly [TestConnection, Outlet] {
    const connection = new TestConnection();
    const session = this.table.get(id);
    if (!session) throw new Error('There is no such session.');
    return [connection, session.openStream(connection as unknown as EventStream, [1])];
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
    return this.table.get(id)?.conversation.lasting?.record.subscribed ?? [];
  }

  /** Ends a session. */
  delete(id: string): Promise<Outcome> {
    return this.#request(id, async (session): Promise<Outcome> => {
      await this.#sessions.end(session);
      return 'done';
    });
  }

  async close(): Promise<void> {
    this.#sessions.close(new Error('over'));
    await this.server.close();
  }

  async #request(id: string, act: (session: Session) => Outcome | Promise<Outcome>): Promise<Outcome> {
    const request = { headers: { 'mcp-session-id': id }, address: '127.0.0.1' };
    const call = new HttpCall(request as unknown as HttpRequest);
    try {
      const found = this.#sessions.read(call);
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
