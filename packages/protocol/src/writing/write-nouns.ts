/** Compiles the writers of all nouns of a revision, each once. */
import { PARTS, type Noun } from '../rules/nouns';
import { projectFields, type Writer } from './project-fields';
import type { WireRules } from '../rules/wire-rules';
import { callResultWriter } from './write-call-result';
import { contentWriter } from './write-content';
import { isObject } from '@sigil-mcp/base';
import { asJsonObject } from '../jsonrpc/write-message';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import { wrapOutputSchema, writePropertySchemas } from './tool-schemas';

/** Noun -> its writer; undefined where the revision does not have it. */
export type NounWriters = (noun: Noun) => Writer | undefined;

/** The writers of a revision's nouns. */
export function nounWriters(rules: WireRules): NounWriters {
  const compiled = new Map<Noun, Writer>();
  const find: NounWriters = (noun) => {
    const fields = rules.fields[noun];
    if (fields === undefined) return undefined;
    const writer = compiled.get(noun) ?? compileNoun(noun, fields, rules, find);
    compiled.set(noun, writer);
    return writer;
  };
  return find;
}

function compileNoun(noun: Noun, fields: readonly string[], rules: WireRules, find: NounWriters): Writer {
  if (noun === 'CallToolResult') return callResultWriter(rules, contentWriter(rules.version, find));
  const project = projectFields(fields, partWriters(noun, rules.version, find));
  return noun === 'Tool' ? toolWriter(rules, project) : project;
}

function partWriters(noun: Noun, version: string, find: NounWriters): Readonly<Record<string, Writer>> {
  const writers: Record<string, Writer> = {};
  for (const [member, part] of Object.entries<Noun | 'ContentBlock'>(PARTS[noun] ?? {})) {
    const writer = part === 'ContentBlock' ? contentWriter(version, find) : find(part);
    if (writer !== undefined) writers[member] = writer;
  }
  return writers;
}

/**
 * Compiles the writer of tools.
 * @param project writes the members that the revision knows
 */
function toolWriter(rules: WireRules, project: Writer): Writer {
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
