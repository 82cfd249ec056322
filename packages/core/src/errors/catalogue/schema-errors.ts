/** What can be wrong with a schema that is given as data, and with the headers that mirror arguments. */
import type { CatalogueEntries } from './catalogue-entry';

/** Of raw JSON Schemas, of headers, and of forms that are given as schemas. */
export const SCHEMA_ERRORS = {
  SIGIL_SCHEMA_NOT_AN_OBJECT: {
    what: 'The JSON Schema is not an object.',
    mend: 'Pass a DTO class, a schema of zod, arktype or valibot, or a JSON Schema object.',
  },
  SIGIL_SCHEMA_ROOT: {
    what: "The input schema does not have type 'object' at its root.",
    mend: "Arguments have names: describe them as the properties of an object, a union as one of them. In a raw JSON Schema, add type: 'object'.",
  },
  SIGIL_SCHEMA_DIALECT: {
    what: 'The JSON Schema dialect {dialect} is unsupported.',
    mend: 'Write the schema in one of {dialects}, or leave $schema out for the first of them.',
  },
  SIGIL_SCHEMA_INVALID: {
    what: 'The raw JSON Schema is invalid in its own dialect: {reason}.',
    mend: 'Correct the schema at the place that is named.',
  },
  SIGIL_SCHEMA_REFERENCE: {
    what: 'The raw JSON Schema refers to {reference}, which is not in it; references are never fetched.',
    mend: 'Put the referenced schema into $defs and refer to it there.',
  },
  SIGIL_SCHEMA_TOO_LARGE: {
    what: 'The {schema} is nested too deeply, contains itself or has too many subschemas.',
    mend: 'Use a smaller schema; recursion is written with $ref.',
  },
  SIGIL_SCHEMA_RUNAWAY_PATTERN: {
    what: 'The JSON Schema compares texts with the pattern {pattern}, which takes exponential time: a text of thirty letters can stop the server.',
    mend: "Rewrite it so that no text inside of a repetition can be matched in two ways: ^a+$ in place of ^(a+)+$. If you know better, say 'x-trusted-pattern': true beside it.",
  },
  SIGIL_SCHEMA_DEFAULT: {
    what: 'The raw JSON Schema would refuse its own default of {property}: it {reason}.',
    mend: 'Give the property a default that its schema accepts, or none.',
  },
  SIGIL_SCHEMA_SHAPE: {
    what: 'The schema is an object of schemas ({names}), and none itself.',
    mend: 'Make one schema of them: z.object(...) in zod, type(...) in arktype, v.object(...) in valibot, around the object.',
  },
  SIGIL_NOT_A_SCHEMA: {
    what: 'its {part} is {value}, which is neither a class with properties nor a schema.',
    mend: 'Give a class with decorated properties, a schema of zod, arktype or valibot, or a JSON Schema. What returns a text or a number needs no `output`, and what takes nothing no `input`.',
  },
  SIGIL_SCHEMA_UNKNOWN: {
    what: '{value} is neither a class nor a JSON Schema, and no schema that says so in a standard way.',
    mend: 'Use a library that implements Standard JSON Schema: zod 4.2, arktype 2.1.28, valibot with @valibot/to-json-schema 1.5, or newer ones.',
  },
  SIGIL_SCHEMA_LIBRARY: {
    what: 'The schema is one of {vendor} that cannot write itself as JSON Schema, which is what clients are listed.',
    mend: 'Take what can: {remedy}.',
  },
  SIGIL_SCHEMA_NO_VALIDATION: {
    what: 'The schema is one of {vendor} that writes JSON Schema but validates nothing.',
    mend: 'Give the JSON Schema that it writes: it is validated with ajv.',
  },
  SIGIL_SCHEMA_UNWRITABLE: {
    what: '{vendor} cannot write the schema as JSON Schema: {reason}.',
    mend: 'Describe what travels: a text in place of a date, and for an output what comes out of each transformation (in zod: .transform(...).pipe(z.string())).',
  },
  SIGIL_SCHEMA_COERCE: {
    what: '`coerce` converts what a class declares, but the input is a schema, which converts by itself.',
    mend: 'Drop `coerce`, and convert in the schema where it is wanted (in zod: z.coerce.number()).',
  },
  SIGIL_SCHEMA_NOT_FLAT: {
    what: 'The property {property} of the schema is an object or a list of such, but prompt arguments and URI variables are only strings.',
    mend: 'Use a string, number, boolean, enum or an array of them.',
  },
  SIGIL_AJV_MISSING: {
    what: 'A raw JSON Schema is validated with ajv, which is not installed.',
    mend: 'Install it: npm install ajv@8',
  },
  SIGIL_HEADER_NAME: {
    what: 'The argument {argument} is mirrored into the header {header}, which is no token of RFC 9110.',
    mend: "Name it with letters, digits and !#$%&'*+-.^_`|~ only, for example 'Region'.",
  },
  SIGIL_HEADER_TWICE: {
    what: 'The arguments {other} and {argument} share the header {header}; case makes no difference.',
    mend: 'Give each argument a header of its own.',
  },
  SIGIL_HEADER_TYPE: {
    what: 'The argument {argument} is mirrored into a header, but {type}.',
    mend: 'Mirror only strings, integers (@IsInt()) and booleans. In place of @Nullable() use @IsOptional(): null then counts as absent.',
  },
  SIGIL_HEADER_PLACE: {
    what: 'The schema mirrors {place} into a header, which is no argument at a fixed path of nested objects.',
    mend: 'Mirror only properties of the input and of the objects in it: no items, no alternatives, and nothing in a class that contains itself, because it is listed behind a $ref.',
  },
  SIGIL_HEADER_NOT_ON_TOOL: {
    what: 'The input of this {kind} mirrors {argument} into a header, which clients do for tools only.',
    mend: 'Take a class of its own here, without @McpHeader on that property.',
  },
  SIGIL_FORM_INVALID: {
    what: 'The form {problem}.',
    mend: "Pass a DTO class, or { type: 'object', properties: { ... }, required: [...] } with nothing beside them.",
  },
  SIGIL_FORM_NOT_FLAT: {
    what: 'The field {field} of the form {type}.',
    mend: "A form is flat. Use the type 'string', 'number', 'integer' or 'boolean', or 'array' with items to choose from.",
  },
  SIGIL_FORM_KEYWORD: {
    what: 'The field {field} of the form has {keyword}, which no form can say of such a field.',
    mend: 'Leave it out and check the answer yourself. Such a field may have {known}.',
  },
  SIGIL_FORM_KEYWORD_VALUE: {
    what: 'The field {field} of the form has a {keyword} that is not {wanted}.',
    mend: 'Make it {wanted}.',
  },
  SIGIL_FORM_REQUIRED: {
    what: 'The form requires {field}, which is none of its fields.',
    mend: 'Describe the field in properties, or take its name out of required.',
  },
  SIGIL_FORM_DEFAULT: {
    what: 'The field {field} of the form would refuse its own default: it {reason}.',
    mend: 'Give the field a default that it accepts, or none.',
  },
} as const satisfies CatalogueEntries;
