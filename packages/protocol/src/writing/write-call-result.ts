/** Writes the result of a tool: the hot path of most servers, so its members are spelt out instead of looked up. */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject } from '../jsonrpc/write-message';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import type { Writer } from './project-fields';
import type { WireRules } from '../rules/wire-rules';

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
export type QuickText = (result: object) => string | undefined;

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
