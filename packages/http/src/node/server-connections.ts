/** The connections of one endpoint, for the end of a response, and those of the HTTP server that it is in, for its end. */
import type { ServerResponse, IncomingMessage, Server } from 'node:http';
import { type Socket, Server as NetServer } from 'node:net';
import type { Arrivals } from '../arrivals';

/** The number of responses that may wait on one connection while Node continues to read from it. */
const MOST_WAITING = 16;

/**
 * The connections of one endpoint. A response that never got its socket, because it was pipelined behind another one, emits no `close`: so the
 * socket is watched, too. Each socket has one listener for all of its pipelined requests.
 */
export class Connections {
  readonly #watched = new WeakMap<Socket, Set<() => void>>();
  /** The number of responses that wait for their turn. No `Budget`: one whose socket is gone is never given back, but forgotten with it. */
  readonly #waiting = new WeakMap<Socket, number>();

  /**
   * Calls back once, when the response was sent completely or its client has disconnected.
   * @returns stops listening
   */
  onEnd(response: ServerResponse, listener: () => void): () => void {
    const { socket } = response.req;
    const listeners = this.#listenersOf(socket);
    const stop = (): boolean => {
      const wasListening = listeners.delete(end);
      if (wasListening) response.off('close', end);
      return wasListening;
    };
    const end = (): void => {
      if (stop()) listener();
    };
    listeners.add(end);
    response.once('close', end);
    if (socket.destroyed || response.closed) end();
    return stop;
  }

  /**
   * Sends a response in its turn on the connection. If a response were queued in Node behind another one, Node would stop reading and
   * would not notice that the client disconnects. With many waiting responses, that is intended.
   */
  inTurn(response: ServerResponse, send: () => void): void {
    const { socket } = response.req;
    const waiting = this.#waiting.get(socket) ?? 0;
    if (response.socket || waiting >= MOST_WAITING) return send();
    this.#waiting.set(socket, waiting + 1);
    response.once('socket', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
      send();
    });
  }

  #listenersOf(socket: Socket): Set<() => void> {
    const known = this.#watched.get(socket);
    if (known) return known;
    const listeners = new Set<() => void>();
    this.#watched.set(socket, listeners);
    socket.once('close', () => {
      for (const listener of [...listeners]) listener();
    });
    return listeners;
  }
}

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

/**
 * Knows the open connections of the server, and what has come by them. At the end no new one is accepted, the next answer on an open one says
 * that it is the last, and a request that has come is waited for until it is handled.
 */
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
