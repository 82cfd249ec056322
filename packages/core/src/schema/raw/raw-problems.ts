/** What can be wrong with a raw JSON Schema, each with its mend. */
import type { DefinitionProblem } from '../../errors/definition-error';
import { dialects } from './load-ajv';
import { shorten } from '../../values/shorten';

/** A problem without its place. */
export type RawProblem = Omit<DefinitionProblem, 'where'>;

/** The problems by what they are about. */
export const rawProblems = {
  noSchema: (): RawProblem => ({
    code: 'SIGIL_SCHEMA_INVALID',
    what: 'The raw JSON Schema is not an object.',
    mend: 'Pass a JSON Schema object or a DTO class.',
  }),
  rootIsNoObject: (): RawProblem => ({
    code: 'SIGIL_SCHEMA_ROOT',
    what: "The raw input schema does not have type 'object' at its root.",
    mend: "Add type: 'object' and describe the arguments as its properties.",
  }),
  unsupportedDialect: (dialect: unknown): RawProblem => ({
    code: 'SIGIL_SCHEMA_DIALECT',
    what: `The JSON Schema dialect ${shorten(String(JSON.stringify(dialect)), 200)} is unsupported.`,
    mend: `Write the schema in one of ${[...dialects.keys()].join(', ')}, or leave $schema out for the first of them.`,
  }),
  withoutAjv: (): RawProblem => ({
    code: 'SIGIL_AJV_MISSING',
    what: 'A raw JSON Schema is validated with ajv, which is not installed.',
    mend: 'Install it: npm install ajv@8',
  }),
  invalid: (reason: string): RawProblem => ({
    code: 'SIGIL_SCHEMA_INVALID',
    what: `The raw JSON Schema is invalid in its own dialect: ${shorten(reason, 300)}.`,
    mend: 'Correct the schema at the place that is named.',
  }),
  unresolved: (reference: string): RawProblem => ({
    code: 'SIGIL_SCHEMA_REFERENCE',
    what: `The raw JSON Schema refers to ${shorten(reference, 200)}, which is not in it; references are never fetched.`,
    mend: 'Put the referenced schema into $defs and refer to it there.',
  }),
  tooLarge: (): RawProblem => ({
    code: 'SIGIL_SCHEMA_TOO_LARGE',
    what: 'The raw JSON Schema is nested too deeply, contains itself or has too many subschemas.',
    mend: 'Use a smaller schema; recursion is written with $ref.',
  }),
};
