/** Writes a tool into a list. */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject } from '../jsonrpc/write-message';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import type { Writer } from './project-fields';
import type { WireRules } from '../rules/wire-rules';
import { wrapOutputSchema, writePropertySchemas } from './tool-schemas';

/**
 * Compiles the writer of tools.
 * @param project writes the members that the revision knows
 */
export function toolWriter(rules: WireRules, project: Writer): Writer {
  const fields = rules.fields.Tool ?? [];
  const titleIsAnnotation = fields.includes('annotations') && !fields.includes('title');
  const write = titleIsAnnotation ? withTitleInAnnotations(project) : project;
  return rules.toolSchemas === 'object' ? withObjectSchemas(write) : write;
}

/** Before tools had a title of their own, it was one of their annotations. */
function withTitleInAnnotations(project: Writer): Writer {
  return (noun) => {
    const written = project(noun);
    const { title } = asJsonObject(noun);
    if (title === undefined) return written;
    const { annotations } = written;
    return { ...written, annotations: isObject(annotations) ? { title, ...annotations } : { title } };
  };
}

function withObjectSchemas(project: Writer): Writer {
  return (noun) => {
    const written = project(noun);
    const { name, inputSchema, outputSchema } = written;
    const inputs = writeSchema(inputSchema, (schema) => schema);
    if (typeof name !== 'string' || outputSchema === undefined) return { ...written, inputSchema: inputs };
    return {
      ...written,
      inputSchema: inputs,
      outputSchema: writeSchema(outputSchema, (schema) => wrapOutputSchema(schema, name)),
    };
  };
}

function writeSchema(schema: JsonValue | undefined, wrap: (schema: JsonObject) => JsonObject): JsonValue | undefined {
  return isObject(schema) ? writePropertySchemas(wrap(schema)) : schema;
}
