/** Writes the result of a tool: the hot path of most servers, so its members are spelt out instead of looked up. */
import { asJsonObject, isJsonObject } from '../../jsonrpc/json-object';
import type { JsonObject, JsonValue } from '../../jsonrpc/message';
import type { Writer } from './project-fields';
import type { RevisionRules } from '../revision-rules';

/**
 * Compiles the writer of tool results.
 * @param writeBlock writes one content block
 */
export function callResultWriter(rules: RevisionRules, writeBlock: Writer): Writer {
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

/** Neutral result -> JSON text without `_meta`, or undefined where there is no shorter way than writing it all. */
export type QuickText = (result: object) => string | undefined;

/** Compiles the shorter way: a result that is data and the text of it is put together around that text. */
export function callResultText(rules: RevisionRules): QuickText {
  const structured = rules.fields.CallToolResult?.includes('structuredContent') === true;
  const objectsOnly = rules.toolSchemas === 'object';
  return (noun) => {
    const { content, structuredContent, structuredRoot, structuredText, isError, _meta } = asJsonObject(noun);
    if (typeof structuredText !== 'string' || _meta !== undefined || !isTextAlone(content, structuredText))
      return undefined;
    const isWrapped = objectsOnly && (structuredRoot === 'any' || !isJsonObject(structuredContent));
    const data = isWrapped ? `{"result":${structuredText}}` : structuredText;
    const blocks = `{"content":[{"type":"text","text":${JSON.stringify(structuredText)}}]`;
    return `${blocks}${structured ? `,"structuredContent":${data}` : ''},"isError":${isError === true}}`;
  };
}

function isTextAlone(content: JsonValue | undefined, text: string): boolean {
  if (!Array.isArray(content) || content.length !== 1) return false;
  const [block] = content as readonly JsonValue[];
  return (
    isJsonObject(block) &&
    block['type'] === 'text' &&
    block['text'] === text &&
    !('annotations' in block) &&
    !('_meta' in block)
  );
}

function writeBlocks(content: JsonValue | undefined, writeBlock: Writer): JsonValue {
  if (!Array.isArray(content)) return [];
  return content.map((block: JsonValue) => (isJsonObject(block) ? writeBlock(block) : block));
}

/** Wrapped where the listed schema is; without a schema, where the value is no object. */
function writeObject(value: JsonValue, root: JsonValue | undefined): JsonObject {
  return root !== 'any' && isJsonObject(value) ? value : { result: value };
}
