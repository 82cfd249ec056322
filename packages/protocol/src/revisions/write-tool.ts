/** Writes a tool into a list. */
import { isJsonObject } from '../jsonrpc/json-object';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import type { Writer } from './project-fields';
import type { RevisionRules } from './revision-rules';
import { wrapOutputSchema, writePropertySchemas } from './tool-schemas';

/**
 * Compiles the writer of tools.
 * @param project writes the members that the revision knows
 */
export function toolWriter(rules: RevisionRules, project: Writer): Writer {
  if (rules.toolSchemas === 'any') return project;
  return (tool) => {
    const written = project(tool);
    const { name, inputSchema, outputSchema } = written;
    return {
      ...written,
      inputSchema: writeSchema(inputSchema, (schema) => schema),
      ...(outputSchema !== undefined && {
        outputSchema: writeSchema(outputSchema, (schema) => wrapOutputSchema(schema, String(name))),
      }),
    };
  };
}

function writeSchema(schema: JsonValue | undefined, wrap: (schema: JsonObject) => JsonObject): JsonValue | undefined {
  return isJsonObject(schema) ? writePropertySchemas(wrap(schema)) : schema;
}
