/** A field of an extension in the filter of `subscriptions/listen`. */
import type { JsonValue } from '../jsonrpc/message';

/** One field. `T` is what a client wants under it. */
export interface ListenField<T extends JsonValue = JsonValue> {
  /** Its name, such as `taskIds`. */
  readonly name: string;
  /**
   * Reads the value of a client. Throws `ProtocolError('invalid-params')`.
   * @param at the object that contains the field, for the error
   */
  read(value: JsonValue, at: string): T;
}
