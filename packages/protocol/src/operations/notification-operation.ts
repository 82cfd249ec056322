/** A notification of an extension, in either direction, as one value that says everything about it. */
import type { JsonObject } from '../jsonrpc/message';
import type { Wire } from './operation';

/** Both directions of a notification in one revision. */
export interface NotificationCodec<P extends object> {
  /** Receiver: raw `params` -> neutral parameters. Throws `ProtocolError('invalid-params')` naming the member. */
  readParams(params: JsonObject): P;
  /** Sender: neutral parameters -> `params`, with only the members that the revision knows. */
  writeParams(params: P): JsonObject;
}

/** One notification, of a client or of a server. `P` are its parameters. */
export interface NotificationOperation<M extends string = string, P extends object = object> {
  /** Its name, such as `notifications/tasks`. */
  readonly method: M;
  /** Compiles both directions for one revision. */
  compile(wire: Wire): NotificationCodec<P>;
}
