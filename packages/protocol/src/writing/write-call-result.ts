/** Writes the result of a tool: the hot path of most servers, so its members are spelt out instead of looked up. */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject, type JsonObject, type JsonValue } from '../jsonrpc/message';
import { PARTS, type Noun, type WireRules } from '../rules/wire-rules';
import { contentWriter, projectFields, type Writer } from './write-content';
import { wrapOutputSchema, writePropertySchemas } from './tool-schemas';

/**
 * Compiles the writer of tool results.
 * @param writeBlock writes one content block
 */
export function callResultWriter(rules: WireRules, writeBlock: Writer): Writer {
  const structured = rules.fields.CallToolResult?.includes('structuredContent') === true;
  const objectsOnly = rules.toolSchemas === 'object';
  return (noun) => {
    const { content, structuredContent, structuredRoot, isError, _meta } = asJsonObject(noun);
    const blocks = writeBlocks(content, writeBlock);
    const data =
      structured && structuredContent !== undefined && objectsOnly
        ? writeObject(structuredContent, structuredRoot)
        : structured
          ? structuredContent
          : undefined;
    // Four literals instead of one that grows: each keeps a shape of its own, which is what makes them fast to write.
    if (data === undefined)
      return _meta === undefined ? { content: blocks, isError } : { content: blocks, isError, _meta };
    if (_meta === undefined) return { content: blocks, structuredContent: data, isError };
    return { content: blocks, structuredContent: data, isError, _meta };
  };
}

/** Neutral result -> its members as JSON text, without braces; undefined if the quick way does not apply. */
type QuickText = (result: object) => string | undefined;

/**
 * Compiles the quick way, for a result without `_meta` whose data, if it has any, come with their JSON text. It joins texts;
 * only a block that is more than plain text is made into an object first.
 * @param writeBlock writes one content block
 */
export function callResultText(rules: WireRules, writeBlock: Writer): QuickText {
  const structured = rules.fields.CallToolResult?.includes('structuredContent') === true;
  const objectsOnly = rules.toolSchemas === 'object';
  return (noun) => {
    const { content, structuredContent, structuredRoot, structuredText, isError, _meta } = asJsonObject(noun);
    if (_meta !== undefined || !Array.isArray(content) || !content.every(isObject)) return undefined;
    const start = `"content":[${blocksText(content as readonly JsonObject[], writeBlock)}]`;
    const end = isError === true ? ',"isError":true' : ',"isError":false';
    if (!structured || structuredContent === undefined) return start + end;
    if (typeof structuredText !== 'string') return undefined;
    const isWrapped = objectsOnly && (structuredRoot === 'any' || !isObject(structuredContent));
    const data = isWrapped ? `{"result":${structuredText}}` : structuredText;
    return `${start},"structuredContent":${data}${end}`;
  };
}

function blocksText(content: readonly JsonObject[], writeBlock: Writer): string {
  let text = '';
  for (const block of content) {
    if (text !== '') text += ',';
    text += blockText(block, writeBlock);
  }
  return text;
}

function blockText(block: JsonObject, writeBlock: Writer): string {
  const { type, text, annotations, _meta } = block;
  const isPlain = type === 'text' && typeof text === 'string' && annotations === undefined && _meta === undefined;
  return isPlain ? `{"type":"text","text":${JSON.stringify(text)}}` : JSON.stringify(writeBlock(block));
}

function writeBlocks(content: JsonValue | undefined, writeBlock: Writer): JsonValue {
  if (!Array.isArray(content)) return [];
  return content.map((block: JsonValue) => (isObject(block) ? writeBlock(block) : block));
}

/** Wrapped where the listed schema is; without a schema, where the value is no object. */
function writeObject(value: JsonValue, root: JsonValue | undefined): JsonObject {
  return root !== 'any' && isObject(value) ? value : { result: value };
}

// Compiles the writers of all nouns of a revision, each once.

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
