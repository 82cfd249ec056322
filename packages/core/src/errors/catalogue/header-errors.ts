/** Errors of the arguments that clients mirror into headers; found at start. */
import type { CatalogueEntries } from '@sigil-mcp/base';

/** Of `@McpHeader`, and of the keyword that it writes. */
export const HEADER_ERRORS = {
  SIGIL_HEADER_NAME: {
    problem:
      'The argument {argument} is mirrored into the header {header}, which is not a valid header name (RFC 9110).',
    fix: "Name it with letters, digits and !#$%&'*+-.^_`|~ only, for example 'Region'.",
  },
  SIGIL_HEADER_TWICE: {
    problem: 'The arguments {other} and {argument} use the same header {header}. Header names ignore case.',
    fix: 'Use a different header for each argument.',
  },
  SIGIL_HEADER_TYPE: {
    problem: 'The argument {argument} is mirrored into a header, but {type}.',
    fix: 'Mirror only strings, integers (@IsInt()) and booleans. Instead of @Nullable() use @IsOptional(), which treats null as absent.',
  },
  SIGIL_HEADER_SENSITIVE: {
    problem: 'The argument {argument} is mirrored into the header {header} and is sensitive. Proxies log headers.',
    fix: 'Remove @McpHeader (x-mcp-header) from it, or mirror another argument.',
  },
  SIGIL_HEADER_PLACE: {
    problem: 'The schema mirrors {place} into a header, but it is not an argument at a fixed path of nested objects.',
    fix: 'Mirror only properties of the input and of objects in it: no array items, no alternatives, and nothing in a class that contains itself, which is listed as a $ref.',
  },
  SIGIL_HEADER_NOT_ON_TOOL: {
    problem: 'The input of this {kind} mirrors {argument} into a header, which works for tools only.',
    fix: 'Use a separate class here, without @McpHeader on that property.',
  },
} as const satisfies CatalogueEntries;
