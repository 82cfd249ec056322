/** Errors of schemas that are given as data. */
import type { CatalogueEntries } from '@sigil-mcp/base';

/** Of raw JSON Schemas, and of forms that are given as schemas. */
export const SCHEMA_ERRORS = {
  SIGIL_SCHEMA_NOT_AN_OBJECT: {
    problem: 'The JSON Schema is not an object.',
    fix: 'Pass a DTO class, a schema of zod, arktype or valibot, or a JSON Schema object.',
  },
  SIGIL_SCHEMA_ROOT: {
    problem: "The input schema does not have type 'object' at its root.",
    fix: "Arguments have names, so describe them as properties of an object. A union can be one of the properties. In a raw JSON Schema, add type: 'object'.",
  },
  SIGIL_SCHEMA_DIALECT: {
    problem: 'The JSON Schema dialect {dialect} is not supported.',
    fix: 'Use one of {dialects}, or remove $schema to use the first of them.',
  },
  SIGIL_SCHEMA_INVALID: {
    problem: 'The raw JSON Schema is invalid in its own dialect: {reason}.',
    fix: 'Fix the schema at the given place.',
  },
  SIGIL_SCHEMA_REFERENCE: {
    problem: 'The raw JSON Schema refers to {reference}, which it does not contain. References are never fetched.',
    fix: 'Put the referenced schema into $defs and refer to it there.',
  },
  SIGIL_SCHEMA_TOO_LARGE: {
    problem: 'The {schema} is nested too deeply, contains itself or has too many subschemas.',
    fix: 'Use a smaller schema. Write recursion with $ref.',
  },
  SIGIL_SCHEMA_RUNAWAY_PATTERN: {
    problem:
      'The JSON Schema has the pattern {pattern}, which can take exponential time: a text of thirty letters can stop the server.',
    fix: "Rewrite it so that a text inside a repetition can match in only one way: ^a+$ instead of ^(a+)+$. If you are sure that it is safe, add 'x-trusted-pattern': true next to it.",
  },
  SIGIL_SCHEMA_DEFAULT: {
    problem: 'The raw JSON Schema rejects its own default of {property}: it {reason}.',
    fix: 'Use a default that the schema accepts, or none.',
  },
  SIGIL_SCHEMA_SHAPE: {
    problem: 'The schema is a plain object of schemas ({names}), not a schema.',
    fix: 'Wrap the object: z.object(...) in zod, type(...) in arktype, v.object(...) in valibot.',
  },
  SIGIL_NOT_A_SCHEMA: {
    problem: 'its {part} is {value}, which is neither a class with properties nor a schema.',
    fix: 'Pass a class with decorated properties, a schema of zod, arktype or valibot, or a JSON Schema. A tool that returns a text or a number needs no `output`, and one without arguments no `input`.',
  },
  SIGIL_SCHEMA_UNKNOWN: {
    problem: '{value} is neither a class nor a JSON Schema, nor a schema that implements Standard JSON Schema.',
    fix: 'Use a library that implements it: zod 4.2, arktype 2.1.28, valibot with @valibot/to-json-schema 1.5, or later versions.',
  },
  SIGIL_SCHEMA_LIBRARY: {
    problem: 'The schema comes from {vendor}, in a version that cannot produce the JSON Schema that clients need.',
    fix: 'Use one that can: {remedy}.',
  },
  SIGIL_SCHEMA_NO_VALIDATION: {
    problem: 'The schema comes from {vendor}, which produces JSON Schema but does not validate.',
    fix: 'Pass the JSON Schema that it produces. It is validated with ajv.',
  },
  SIGIL_SCHEMA_UNWRITABLE: {
    problem: '{vendor} cannot write the schema as JSON Schema: {reason}.',
    fix: 'Describe the JSON value: a string instead of a date, and for an output the result of each transformation (in zod: .transform(...).pipe(z.string())).',
  },
  SIGIL_SCHEMA_COERCE: {
    problem: '`coerce` converts values for a class, but the input is a schema, which converts values itself.',
    fix: 'Remove `coerce`, and convert in the schema (in zod: z.coerce.number()).',
  },
  SIGIL_SCHEMA_NOT_FLAT: {
    problem:
      'The property {property} of the schema is an object or a list of objects, but prompt arguments and URI variables are strings.',
    fix: 'Use a string, number, boolean, enum, or an array of them.',
  },
  SIGIL_SCHEMA_NO_CODE: {
    problem: 'ajv compiles a raw JSON Schema to code, which this platform does not allow at this time.',
    fix: 'On Cloudflare Workers, create the server at the top level of the module. In a Durable Object, and on platforms that never compile code from text, use a class or a schema of zod, valibot or arktype.',
  },
  SIGIL_AJV_MISSING: {
    problem: 'Raw JSON Schemas are validated with ajv, which is not installed.',
    fix: 'Install it: npm install ajv@8',
  },
  SIGIL_FORM_INVALID: {
    problem: 'The form {problem}.',
    fix: "Pass a DTO class, or { type: 'object', properties: { ... }, required: [...] } with no other members.",
  },
  SIGIL_FORM_NOT_FLAT: {
    problem: 'The field {field} of the form {type}.',
    fix: "A form is flat. Use the type 'string', 'number', 'integer' or 'boolean', or 'array' with items to choose from.",
  },
  SIGIL_FORM_KEYWORD: {
    problem: 'The field {field} of the form has {keyword}, which a form does not support for such a field.',
    fix: 'Remove it and check the answer yourself. Such a field may have {known}.',
  },
  SIGIL_FORM_KEYWORD_VALUE: {
    problem: 'The field {field} of the form has a {keyword} that is not {wanted}.',
    fix: 'Make it {wanted}.',
  },
  SIGIL_FORM_REQUIRED: {
    problem: 'The form requires {field}, but has no such field.',
    fix: 'Add the field to properties, or remove its name from required.',
  },
  SIGIL_FORM_DEFAULT: {
    problem: 'The field {field} of the form rejects its own default: it {reason}.',
    fix: 'Use a default that the field accepts, or none.',
  },
  SIGIL_STORED_STALE: {
    problem:
      'The bundle lists a schema of {type} that is not the one of the class: the class depends on the environment.',
    fix: 'Build it with the environment that it runs in, or without --registry-data. Calls are validated by the class.',
  },
} as const satisfies CatalogueEntries;
