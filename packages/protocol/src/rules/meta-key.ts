/** A key of an extension in the `_meta` of requests. */
import type { JsonValue } from '../jsonrpc/message';

/** One key. `T` is the type of its value. */
export interface MetaKey<T = unknown> {
  /** With its prefix, such as `com.example/priority`. */
  readonly name: string;
  /**
   * Reads the value of a client. Throws `ProtocolError('invalid-params')`.
   * @param at the object that contains the key, for the error
   */
  read(value: JsonValue, at: string): T;
}
