/**
 * The connections of the HTTP server that an endpoint is in, for its end: no new one is accepted, the next answer on an open one says
 * that it is the last, and a request that has come is waited for until it is handled.
 */
import { Server as NetServer, type Socket } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Arrivals } from '../arrivals';

/** Milliseconds that a turn of the event loop takes in which nothing was to be done, at most. */
const QUIET = 0.1;

/** Turns that are tried: a loop that is always busy has none. */
const MOST_TURNS = 2000;

/** The last request of a connection. Its headers hold a token: when the request has ended, nothing here may keep it in memory. */
interface LastRequest {
  /** Its response has not begun: its token is looked at, its body read, or its call runs. */
  arriving: ServerResponse | undefined;
  /** Its response has begun, and is not written yet. */
  answering: WeakRef<ServerResponse> | undefined;
}

/** Knows the open connections, and what has come by them. */
export class ServerConnections implements Arrivals {
  readonly #open = new Set<Socket>();
  readonly #last = new WeakMap<Socket, LastRequest>();
  #requests = 0;
  #refused: Promise<void> | undefined;
  #changed: () => void = () => undefined;

  constructor(private readonly server: Server) {
    // Of a server with TLS the second one has the sockets that requests name.
    for (const event of ['connection', 'secureConnection']) server.on(event, (socket: Socket) => this.#add(socket));
  }

  /** How many requests have come since no more connections are taken. */
  get requestsSince(): number {
    return this.#requests;
  }

  /** Whether a request has come whose response has not begun. */
  get isArriving(): boolean {
    return this.#arriving().length > 0;
  }

  /** A request of the endpoint has come. */
  arrived(response: ServerResponse): void {
    const { socket } = response.req;
    const last = this.#last.get(socket);
    if (last) last.arriving = response;
    else this.#last.set(socket, { arriving: response, answering: undefined });
  }

  /** Its response has begun, or was sent. */
  handled(response: ServerResponse): void {
    const last = this.#last.get(response.req.socket);
    if (last?.arriving !== response) return;
    last.arriving = undefined;
    // Most responses are written by now, and a reference of this kind costs the garbage collector more than all the rest here.
    last.answering = response.writableEnded ? undefined : new WeakRef(response);
    this.#changed();
  }

  /** Resolves when each request that has come is handled, or its client is gone. */
  async allHandled(): Promise<void> {
    for (let arriving = this.#arriving(); arriving.length > 0; arriving = this.#arriving()) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
        // Hooks of the host may answer in its place.
        for (const response of arriving) response.once('close', resolve);
      });
    }
  }

  /**
   * Takes no more connections. Those that are open stay, and their next answer says that it is the last one (`Connection: close`), so that a
   * request that is sent at this moment is still answered.
   */
  refuseMore(): Promise<void> {
    return (this.#refused ??= this.#refuse());
  }

  /** Resolves when no connection is open on which nothing is answered. */
  async idleOnesGone(): Promise<void> {
    while ([...this.#open].some((socket) => this.#isIdle(socket))) {
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  /** Resolves when no connection is open on which anything has come. For Node, one that was never used is not idle. */
  async usedOnesGone(): Promise<void> {
    while ([...this.#open].some(({ bytesRead }) => bytesRead > 0)) {
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }

  async #refuse(): Promise<void> {
    this.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#requests += 1;
      sayClose(response, request);
    });
    for (const socket of this.#open) {
      const response = this.#responseOf(socket);
      if (response) sayClose(response, response.req);
    }
    // Those that the system has accepted, and this process has not taken yet, would be reset.
    await quietTurn();
    // That of HTTP would cut off idle connections too, whose clients may be sending just now.
    if (this.server.listening) NetServer.prototype.close.call(this.server);
  }

  #add(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#changed();
    });
  }

  #arriving(): readonly ServerResponse[] {
    return [...this.#open].flatMap((socket) => {
      const response = this.#last.get(socket)?.arriving;
      return response && !response.writableEnded ? [response] : [];
    });
  }

  #isIdle(socket: Socket): boolean {
    return this.#responseOf(socket)?.writableEnded ?? true;
  }

  /** The last response of a connection, if it is not written yet. */
  #responseOf(socket: Socket): ServerResponse | undefined {
    const last = this.#last.get(socket);
    return last?.arriving ?? last?.answering?.deref();
  }
}

/** HTTP/2 has its own way to say so. */
function sayClose(response: ServerResponse, { httpVersionMajor }: IncomingMessage): void {
  if (httpVersionMajor === 1 && !response.headersSent) response.setHeader('connection', 'close');
}

/**
 * Resolves in a turn of the event loop in which nothing else was done. The system accepts connections by itself, and resets those
 * that the process has not taken when it stops listening; what it had accepted before this turn was taken in it.
 */
async function quietTurn(): Promise<void> {
  // From one such point to the next the loop has looked for connections; from here to the first it may not.
  await endOfTurn();
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const began = performance.now();
    await endOfTurn();
    if (performance.now() - began < QUIET) return;
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
