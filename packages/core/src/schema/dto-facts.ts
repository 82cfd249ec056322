/** What decorators say about the properties of a DTO; the schema compiler reads it. */
import { factKind } from '../facts/facts';
import type { JsonSchema } from './json-schema';

/** Keywords merged into the property's listed schema as they are. They do not take part in validation. */
export const schemaKeywords = factKind<JsonSchema>('schema-keywords');

/** The descriptions written with `@Describe`, of properties and of whole classes. */
export const descriptions = factKind<string>('description');

/** The marks written with `@Nullable`. */
export const nullables = factKind<true>('nullable');

/** The titles of values written with `@ValueTitles`. */
export const valueTitles = factKind<Readonly<Record<string, string>>>('value-titles');
