/** The problems of a schema of another library, each under its code. */
import { schemaWords } from '../errors/errors';
import { nameValue, shorten, type ErrorWords } from '@sigil-mcp/base';

/** What makes a library write JSON Schema, by the name that it gives itself. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['zod', 'zod 4.2 or newer (npm install zod@4)'],
  ['arktype', 'arktype 2.1.28 or newer (npm install arktype@2)'],
  ['valibot', 'toStandardJsonSchema(schema) of @valibot/to-json-schema 1.5 or newer, around the schema'],
]);

/** The problems by what they are about. */
export const standardProblems = {
  cannotWrite: (vendor: unknown): ErrorWords => {
    const name = nameOf(vendor);
    const standard = `a version of ${name} that implements Standard JSON Schema (https://standardschema.dev/json-schema)`;
    const remedy = REMEDIES.get(name) ?? `${standard}, or the JSON Schema by itself`;
    return schemaWords('SIGIL_SCHEMA_LIBRARY', { vendor: name, remedy });
  },
  cannotValidate: (vendor: unknown): ErrorWords =>
    schemaWords('SIGIL_SCHEMA_NO_VALIDATION', { vendor: nameOf(vendor) }),
  unwritable: (vendor: unknown, error: unknown): ErrorWords => {
    const reason = error instanceof Error ? error.message : String(error);
    return schemaWords('SIGIL_SCHEMA_UNWRITABLE', {
      vendor: nameOf(vendor),
      reason: shorten(reason.replace(/\.$/, ''), 300),
    });
  },
  coerced: (): ErrorWords => schemaWords('SIGIL_SCHEMA_COERCE'),
  notFlat: (property: string): ErrorWords =>
    schemaWords('SIGIL_SCHEMA_NOT_FLAT', { property: shorten(JSON.stringify(property), 100) }),
};

function nameOf(vendor: unknown): string {
  return typeof vendor === 'string' ? shorten(vendor, 60) : nameValue(vendor);
}
