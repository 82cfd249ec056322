/** What differs between revisions in how one value travels: the part of a revision's rules that operations are compiled with. */
import type { ListenField } from './listen-field';
import type { FieldTable } from './nouns';

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
