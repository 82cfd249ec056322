/** The place where a decorator adds keywords to the schema of a property, such as `x-mcp-header`. */
import { factKind } from '../decorators/facts';
import type { JsonSchema } from './json-schema';

/** Keywords merged into the property's listed schema as they are. They do not take part in validation. */
export const schemaKeywords = factKind<JsonSchema>('schema-keywords');
