/** The problems of a raw JSON Schema, each under its code. */
import { schemaWords } from '../errors/errors';
import { nameValue, shorten, type ErrorWords } from '@sigil-mcp/base';
import { dialects } from './load-ajv';

/** The problems by what they are about. */
export const rawProblems = {
  noSchema: (): ErrorWords => schemaWords('SIGIL_SCHEMA_NOT_AN_OBJECT'),
  rootIsNoObject: (): ErrorWords => schemaWords('SIGIL_SCHEMA_ROOT'),
  unsupportedDialect: (dialect: unknown): ErrorWords =>
    schemaWords('SIGIL_SCHEMA_DIALECT', {
      dialect: shorten(String(JSON.stringify(dialect)), 200),
      dialects: [...dialects.keys()].join(', '),
    }),
  withoutCode: (): ErrorWords => schemaWords('SIGIL_SCHEMA_NO_CODE'),
  withoutAjv: (): ErrorWords => schemaWords('SIGIL_AJV_MISSING'),
  invalid: (reason: string): ErrorWords => schemaWords('SIGIL_SCHEMA_INVALID', { reason: shorten(reason, 300) }),
  unresolved: (reference: string): ErrorWords =>
    schemaWords('SIGIL_SCHEMA_REFERENCE', { reference: shorten(reference, 200) }),
  runaway: (pattern: string): ErrorWords =>
    schemaWords('SIGIL_SCHEMA_RUNAWAY_PATTERN', { pattern: shorten(JSON.stringify(pattern), 200) }),
  shape: (names: readonly string[]): ErrorWords =>
    schemaWords('SIGIL_SCHEMA_SHAPE', { names: shorten(names.join(', '), 200) }),
  unknown: (value: unknown): ErrorWords => schemaWords('SIGIL_SCHEMA_UNKNOWN', { value: nameValue(value) }),
  defaultRefused: (property: string, reason: string): ErrorWords =>
    schemaWords('SIGIL_SCHEMA_DEFAULT', { property: shorten(property, 200), reason: shorten(reason, 300) }),
  tooLarge: (): ErrorWords => schemaWords('SIGIL_SCHEMA_TOO_LARGE', { schema: 'JSON Schema' }),
};
