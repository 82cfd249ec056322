/** The port of code that watches a server and changes nothing: telemetry, audits, counters. */
import type { JsonValue, RequestId } from '@sigil-mcp/protocol';
import type { QuestionOutcome } from '../asking/question';
import type { Call, Verdict } from './call';
import type { Caller } from './caller';
import type { Logger } from '../logging/logger';
import type { Clock, MaybePromise } from '@sigil-mcp/base';
import type { ClientFacts, RequestHeaders } from './mcp-context';

/** The connection of a message, with the names of OpenTelemetry. */
export interface Network {
  /** `tcp` for HTTP, `pipe` for stdio. */
  readonly transport: 'tcp' | 'pipe';
  /** Of the messages; undefined if they travel without another protocol. */
  readonly protocol: 'http' | undefined;
}

/** A request, before anything of it was checked. */
export interface ObservedRequest {
  readonly id: RequestId;
  /** As the client wrote it: the server may have no such method. */
  readonly method: string;
  /** The date of the revision in which it is answered. */
  readonly revision: string;
  readonly caller: Caller;
  /** The client's description of itself; undefined before its handshake, and if it cannot be read. */
  readonly client: ClientFacts | undefined;
  /** Empty if the transport has none. */
  readonly headers: RequestHeaders;
  /** IP address of the client; undefined if the transport has none. */
  readonly address: string | undefined;
  /** `params` as the client wrote them, with `_meta`. */
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** Undefined if client and server are in one process, and for work without its request. */
  readonly network: Network | undefined;
  /** The same short text for all requests of a session of HTTP, from which its id cannot be found; undefined without a session. */
  readonly session: string | undefined;
  /** Whether it runs without its request, as a task does. */
  readonly isBackground: boolean;
  /**
   * What observers have noted for this call, by their names: in an earlier request, whose answer was a question, or in the request that
   * a task was made of. Empty for other requests.
   */
  readonly notes: Notes;
}

/** What observers have noted for a call, by their names. */
export type Notes = Readonly<Record<string, string>>;

/** A notification of a client. */
export interface ObservedNotification {
  /** As the client wrote it: the server may not know it. */
  readonly method: string;
  readonly revision: string;
  /** As the client wrote them, with `_meta`. */
  readonly params: Readonly<Record<string, unknown>> | undefined;
}

/** How a request ended. */
export type RequestOutcome =
  | {
      readonly kind: 'result';
      /** Whether a tool failed: its result has `isError`. */
      readonly isError: boolean;
      /** In the newest form of the protocol, before it is written for the revision of the client. */
      readonly result: object;
    }
  /** The answer is a question: the client sends the request again. */
  | { readonly kind: 'question' }
  | {
      readonly kind: 'error';
      /** The JSON-RPC code that was sent. */
      readonly code: number;
      /** What was thrown, before it was masked for the client. */
      readonly error: unknown;
      /** The option that sets the limit which the client has reached, such as `limits.callsPerClient`; undefined for any other error. */
      readonly limit: string | undefined;
    }
  /** No answer was sent: the client cancelled the request, or left. */
  | { readonly kind: 'cancelled' };

/** A question to the client while a request is answered. */
export interface ObservedQuestion {
  /** Such as `elicitation/create`. */
  readonly method: string;
  readonly key: string;
  /** What an observer adds, as JSON, is sent in the `_meta` of the question. Undefined if no request is sent for it. */
  readonly meta: Record<string, JsonValue> | undefined;
}

/** A text that could not be read as a message. */
export interface UnreadableMessage {
  /** The JSON-RPC code: -32700 for a text that is not JSON. */
  readonly code: number;
  readonly message: string;
  /** The option that sets the limit which it exceeds, such as `limits.nesting`; undefined for any other fault. */
  readonly limit: string | undefined;
  /** Whether `requestRefused` is called for it, too, as for the body of a request over HTTP. */
  readonly isRefused: boolean;
}

/** What was refused before it started as a request of the protocol. */
export interface ObservedRefusal {
  /** The HTTP status; undefined if the transport has none. */
  readonly status: number | undefined;
  /** The JSON-RPC code and the message that were sent. */
  readonly code: number;
  readonly message: string;
  /** The option that sets the limit which the client has reached, such as `limits.sessions`; undefined for any other refusal. */
  readonly limit: string | undefined;
  /** What was thrown, before it was masked for the client. */
  readonly error: unknown;
  /** Anonymous if the caller was refused, or not identified yet. */
  readonly caller: Caller;
  /** Empty if the transport has none; without `authorization`. */
  readonly headers: RequestHeaders;
  /** IP address of the client; undefined if the transport has none. */
  readonly address: string | undefined;
}

/** An event stream of HTTP. */
export interface ObservedStream {
  /**
   * `post`: the answer to a request, or what precedes it. `get`: messages of a session without a request. `resumed`: a client continues one
   * of these after its last event. `sse`: a session of HTTP+SSE.
   */
  readonly kind: 'post' | 'get' | 'resumed' | 'sse';
  readonly caller: Caller;
  /** Without `authorization`. */
  readonly headers: RequestHeaders;
  /** IP address of the client. */
  readonly address: string;
}

/**
 * Why an event stream ended. `answered`: everything was sent. `client-gone`: the client disconnected before that. `released`: the client is
 * to reconnect for the rest. `replaced`: the client continues it on another connection. `signed-in`: its session belongs to a user from now
 * on. `limit`: the client did not read it. `failed`: it could not be sent, or continued.
 */
export type StreamEndReason =
  | 'answered'
  | 'client-gone'
  | 'released'
  | 'replaced'
  | 'session-ended'
  | 'signed-in'
  | 'token-expired'
  | 'shutdown'
  | 'limit'
  | 'failed';

/** The end of an event stream. */
export interface ObservedStreamEnd {
  readonly reason: StreamEndReason;
  /** The option that sets the limit which the client has reached; undefined for any other reason. */
  readonly limit: string | undefined;
  /** Milliseconds since it was opened. */
  readonly duration: number;
}

/** A client after its handshake: for as long as its connection or its session lasts. */
export interface StartedSession {
  readonly revision: string;
  /** The client's description of itself. */
  readonly client: ClientFacts;
}

/** A command of one of the `stores` of a server with several instances. */
export interface StoreCommand {
  readonly store: 'sessions' | 'streams' | 'bus' | 'rates';
  /** The name of its method. */
  readonly command: string;
  /** Milliseconds until it was done. */
  readonly duration: number;
  /** What it failed with; undefined if it did not fail. */
  readonly error: unknown;
}

/** A server that starts. */
export interface ObservedServer {
  readonly name: string;
  readonly version: string;
  /** Whether it starts with a transport that sends its messages on stdout: nothing else may be written there. */
  readonly takesStdout: boolean;
  /** Its log, for what concerns operators. */
  readonly logger: Logger;
  readonly clock: Clock;
  /** Bytes of memory that clients make it hold now, in total and by what they are held for, and the limit of them (`limits.held`). */
  readonly held: {
    readonly bytes: number;
    readonly kinds: Readonly<Record<string, number>>;
    readonly limit: number;
    /** Adds what the observer keeps in memory, in bytes: it is read whenever the sum is needed. @returns what ends it */
    meter(kind: string, read: () => number): () => void;
  };
}

/** Watches one request. Each method is optional. */
export interface RequestObserver {
  /**
   * Runs the request, for an observer that keeps something in an `AsyncLocalStorage`.
   * @returns what `next` returns
   * @example run: (next) => storage.run(span, next)
   */
  run?<T>(next: () => T): T;
  /** Its parameters were read, and what it is about was found; not called for a request that is refused before. */
  opened?(call: Call): void;
  /** A guard has decided. @param guard the name of its class */
  judged?(guard: string, verdict: Verdict): void;
  /**
   * A stage of the call begins, inside of the stage that began before and has not ended. Called only for observers with `watchesStages`.
   * @param stage `arguments`, `handler`, `output`, `queue` for a tool with a limit of `concurrency`, or `interceptor` or `extension` with a name
   * @returns called when it has ended
   */
  stage?(stage: string): (() => void) | void;
  /**
   * A step of `context.once(key, run)` has ended.
   * @param isKept whether it ran in an earlier round of the call, so that its result was there
   */
  once?(key: string, isKept: boolean): void;
  /**
   * The request runs a call itself, as `call_tool` of a server with toolsets does: with the caller, the client and the address of the request,
   * and without notes.
   * @returns what watches that call; nothing for no interest in it
   */
  inner?(request: ObservedRequest): RequestObserver | void;
  /** The client is asked. @returns called when the answer was read, or will not come, with the milliseconds since */
  asked?(question: ObservedQuestion): ((duration: number, outcome: QuestionOutcome) => void) | void;
  /**
   * A text for the next request of the same call: if the client has to answer a question first, or when the call becomes a task. The client
   * carries it, sealed, so it has at most 500 characters. It is in `notes` then, under the name of the observer.
   */
  note?(): string | undefined;
  /** It was answered, or needs no answer. @param duration milliseconds since it started */
  ended?(outcome: RequestOutcome, duration: number): void;
}

/**
 * Watches a server: `createServer({ observers: [...] })`. It sees every request that the server reads, also those that interceptors do not see:
 * unknown methods, malformed parameters, refusals by limits. What it throws is logged once, and changes nothing.
 * @example
 * const counter: Observer = {
 *   requestStarted: ({ method }) => ({ ended: ({ kind }, duration) => count(method, kind, duration) }),
 * };
 */
export interface Observer {
  /** For what it notes; without a name, it cannot note anything. */
  readonly name?: string;
  /** Whether `stage` is called for the stages of calls. Calls are a little slower then; no stage is timed otherwise. */
  readonly watchesStages?: boolean;
  /** A request was read. @returns what watches it; nothing for no interest in it */
  requestStarted?(request: ObservedRequest): RequestObserver | void;
  /** A notification of a client was read; the server may not know it. */
  notificationReceived?(notification: ObservedNotification): void;
  /** A text, or the body of a request over HTTP, could not be read as a message. */
  messageUnreadable?(fault: UnreadableMessage): void;
  /** A request was refused before it started: by a check of HTTP, by a limit. `requestStarted` is not called for it. */
  requestRefused?(refusal: ObservedRefusal): void;
  /** An event stream of HTTP was opened. @returns called when it has ended */
  streamOpened?(stream: ObservedStream): ((end: ObservedStreamEnd) => void) | void;
  /** A client shook hands. @returns called with the milliseconds since, when its session or connection has ended, or if the handshake fails */
  sessionStarted?(session: StartedSession): ((duration: number) => void) | void;
  /** A store has done a command, or failed. */
  storeUsed?(command: StoreCommand): void;
  /** The server starts; nothing was observed yet. If it throws or rejects, the server does not start. */
  onStart?(server: ObservedServer): MaybePromise<void>;
  /** The server has closed its transports; nothing is observed any more. If it throws or rejects, `server.close` does. */
  onStop?(server: ObservedServer): MaybePromise<void>;
}
