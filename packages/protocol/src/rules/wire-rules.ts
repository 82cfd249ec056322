/** What differs between revisions in how one value travels: the part of a revision's rules that operations are compiled with. */
import type { FieldTable } from './nouns';
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

/** How a revision writes and reads values. */
export interface WireRules {
  /** The date of the revision. */
  readonly version: string;
  /** The fields of a form: all kinds, or only text, numbers, booleans and single choices as 2025-06-18 writes them. */
  readonly formFields: 'plain' | 'rich';
  /** The members of each noun; what is not here is not written. A kind of content without an entry becomes text. */
  readonly fields: FieldTable;
  /**
   * What the schema of a tool's output, and so its structured content, may be: only an object at the root (others are
   * wrapped as `{ result }`), or any JSON. `object` also means that the properties of a listed schema are objects,
   * never `true` or `false`.
   */
  readonly toolSchemas: 'object' | 'any';
  /** How tool arguments that do not fit are reported: as an error, or as a result that a model can learn from. */
  readonly invalidToolArguments: 'error' | 'result';
  /** What the filter of `subscriptions/listen` may have besides the fields of the specification. */
  readonly listenFields: readonly ListenField[];
}
