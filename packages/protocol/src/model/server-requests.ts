/** Every request a server can make of a client, with what goes in and what comes out; and how it travels in a result. */
import type { JsonObject } from '../jsonrpc/message';
import type { ElicitParams, ElicitResult } from './elicitation';
import type { NoParams } from './operations';
import type { ListRootsResult } from './roots';
import type { CreateMessageParams, CreateMessageResult } from './sampling';

/** Method name -> parameters and result, in the neutral words. */
export interface ServerOperations {
  'elicitation/create': { params: ElicitParams; result: ElicitResult };
  'sampling/createMessage': { params: CreateMessageParams; result: CreateMessageResult };
  'roots/list': { params: NoParams; result: ListRootsResult };
}

/** The name of a request of the server. */
export type ServerMethod = keyof ServerOperations;

/** A request of the server, in the neutral words. */
export interface ServerRequest<M extends ServerMethod = ServerMethod> {
  readonly method: M;
  readonly params: ServerOperations[M]['params'];
}

/** The answer to a request of the server. */
export type ServerResultOf<M extends ServerMethod> = ServerOperations[M]['result'];

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
