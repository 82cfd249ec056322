/** Whether a schema is one of JSON Schema 2020-12, by its meta-schema. */
import { createRequire } from 'node:module';
import type * as Validators from '@modelcontextprotocol/client/validators/ajv' with { 'resolution-mode': 'require' };
import { pointer } from './schema-walk';

const META_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

/** Says what is wrong with a schema that stands at a place: each a JSON pointer and a reason; empty if nothing is. */
export type JudgeSchema = (schema: unknown, place: string) => readonly string[];

/** Loads the meta-schema, which the validator of the official client has: 0.1 s. */
export function loadMetaSchema(): JudgeSchema {
  const { AjvJsonSchemaValidator } = createRequire(__filename)(
    '@modelcontextprotocol/client/validators/ajv',
  ) as typeof Validators;
  const judge = new AjvJsonSchemaValidator().getValidator({ $ref: META_SCHEMA });
  return (schema, place) => {
    try {
      const { errorMessage = '' } = judge(schema);
      return firstOfEach(errorMessage, place);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return [`${pointer(place)} is nested too deeply to be checked`];
    }
  };
}

/** The first error of each place, which names the cause; ajv adds those of every branch of the meta-schema. A name may have line breaks. */
function firstOfEach(message: string, place: string): readonly string[] {
  const first = new Map<string, string>();
  for (const [, path = '', reason = ''] of message.matchAll(/(?:^|, )data(\/.*?)? (must .*?)(?=, data[/ ]|$)/gs))
    // Formats say what a text means, and make no schema invalid.
    if (!first.has(path) && !reason.startsWith('must match format')) first.set(path, `${place}${path} ${reason}`);
  return [...first.values()];
}
