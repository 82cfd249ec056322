/**
 * The port of this package: an HTTP request as an adapter hands it over, and the response that the adapter sends. Nothing here belongs to
 * Fastify, to `node:http` or to another platform.
 */
import type { Caller } from '@sigil-mcp/core';
import type { MaybePromise, RequestHeaders } from '@sigil-mcp/core/adapter';

/** A request whose head has arrived. */
export interface HttpRequest {
  /** In upper case: `POST`. */
  readonly method: string;
  /** The target as it was sent: `/mcp?x=1`, or a whole URL. */
  readonly target: string;
  /** By names in lower case; several headers of one name are joined by `, `, but of `Authorization` and `Content-Type` the first counts. */
  readonly headers: RequestHeaders;
  /** Names and values in turn, as they were sent: a header that came twice is here twice. */
  readonly rawHeaders: readonly string[];
  /** The IP address of the client, or of the last untrusted proxy. */
  readonly address: string;
  /** The pieces of the body; undefined without a body, and where the adapter reads it. */
  readonly body: AsyncIterable<Uint8Array> | undefined;
  /** The same object for all requests of one connection; a new one where connections are not known. */
  readonly connection: object;
  /** The version of HTTP: `1.0`, `1.1`, `2.0`. */
  readonly httpVersion: string;
  /**
   * Identifies the caller, if the program around the endpoint authenticates requests itself. Throws, or rejects with, a `Denial` for a
   * request that it refuses. Left out, the `auth` of the endpoint does so.
   */
  readonly identify?: (() => MaybePromise<Caller>) | undefined;
  /**
   * Calls back once, when the response was sent completely or the client has disconnected; at once if that is so already.
   * @returns stops listening
   */
  onClosed(listener: () => void): () => void;
  /** Closes the connection without sending the rest of the response. */
  abort(): void;
}

/** A response. */
export interface HttpResponse {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** A whole body, or an event stream; no body if left out. */
  readonly body?: string | Uint8Array | EventSource | undefined;
  /**
   * The adapter calls it when it has sent a whole body, or has handed it to the platform.
   * @param waiting the bytes of it that the client still has to read, as far as the platform knows
   */
  sent?(waiting: number): void;
  /**
   * The adapter calls it if the response cannot be sent, for example because a hook of its app fails.
   * @returns the body of the response with status 500 that replaces it, if none has begun
   */
  failed?(error: unknown): string;
}

/** The events of a response that is an event stream. */
export interface EventSource {
  /** All of its events, if there will be no more: the adapter sends them with the head, as a whole body. Undefined otherwise. */
  readonly whole: string | undefined;
  /** The adapter calls it once, when the head was sent, and with it `whole`: all other events are written to the writer. */
  open(writer: EventWriter): void;
  /** The adapter calls it in place of `open` if the head cannot be sent. */
  discard(): void;
}

/** The rest of a response whose head was sent. None of its methods throws. */
export interface EventWriter {
  /** False after the client has disconnected, or the response was aborted. */
  readonly isOpen: boolean;
  /** Whether everything was sent, including the end. */
  readonly wasDelivered: boolean;
  /** The bytes that wait for the client to read, as far as the platform knows. */
  readonly unread: number;
  /**
   * Writes text.
   * @returns false if the client reads too slowly: `onDrain` is called when there is room again
   */
  write(text: string): boolean;
  /** Calls back each time there is room again. */
  onDrain(listener: () => void): void;
  /** Sends the head now, before the first event. */
  flush(): void;
  end(): void;
  /** Closes the connection without sending the rest. */
  abort(): void;
}

/** Answers requests. It never throws or rejects. */
export type HttpHandler = (request: HttpRequest) => MaybePromise<HttpResponse>;
