/** The facts from decorators about the properties of a DTO, which the schema compiler reads. */
import { factKind } from '@sigil-mcp/base/facts';
import type { JsonSchema } from './value-plan';

/** Keywords of a decorator, merged into the property's listed schema as they are. They do not take part in validation. */
export interface ListedKeywords {
  /** The name of the decorator: `@Title`. */
  readonly decorator: string;
  readonly keywords: JsonSchema;
}

/** Written with `@Title`, and with other decorators that call `listKeywords`. */
export const listedKeywords = factKind<ListedKeywords>('schema-keywords');

/** The descriptions written with `@Describe`, of properties and of whole classes. */
export const descriptions = factKind<string>('description');

/** The marks written with `@Nullable`. */
export const nullables = factKind<true>('nullable');

/** The marks written with `@Sensitive`. */
export const sensitives = factKind<true>('sensitive');

/** The titles of values written with `@ValueTitles`. */
export const valueTitles = factKind<Readonly<Record<string, string>>>('value-titles');

/** What `@AnyOf` says: the types of a value, or of each of its items. */
export interface UnionFact {
  /** String, Number, Boolean, Date, or classes of the author's; asked at start, when all classes are there. */
  readonly members: () => readonly unknown[];
  readonly each: boolean;
}

/** Written with `@AnyOf`. */
export const unions = factKind<UnionFact>('union');

/** What `@RecordOf` says: the type of each value, where it names one. */
export interface RecordFact {
  readonly values: (() => unknown) | undefined;
}

/** Written with `@RecordOf`. */
export const records = factKind<RecordFact>('record');

/** How a class was made of others, written by `PartialType` and its kin. */
export interface Mapping {
  /** Names that were asked for, and that the classes do not have. */
  readonly unknown: readonly string[];
}

/** Of the classes that were made of others. */
export const mappings = factKind<Mapping>('mapping');
