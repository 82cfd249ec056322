/** Requests of a server, as they travel in a result. */
import type { JsonObject } from '../jsonrpc/message';

/** A request of the server as a revision writes it, without the members that only a message has. */
export interface WrittenServerRequest {
  readonly method: string;
  readonly params?: JsonObject;
}

/** The result that asks instead of answering: the client answers and sends its request again. */
export interface InputRequiredResult {
  /** Key -> question; empty is left out. */
  readonly inputRequests: Readonly<Record<string, WrittenServerRequest>>;
  /** Opaque to the client, which sends it back as it is. */
  readonly requestState?: string;
}

/** What a request brings that was sent again after an `InputRequiredResult`. */
export interface RequestRetry {
  /** Key of the question -> the result it was answered with, as it came. */
  readonly inputResponses: Readonly<Record<string, JsonObject>>;
  readonly requestState: string | undefined;
}
