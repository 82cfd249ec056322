/**
 * The draft of a next revision, as a file of changes: a tool lists the variants of its output, and its result has one entry for each.
 * @see https://github.com/modelcontextprotocol/modelcontextprotocol/pull/3279
 */
import {
  ALL_OPERATIONS,
  ALL_RULES,
  compileRevision,
  extendRevision,
  type JsonObject,
  type JsonValue,
  type Operation,
} from '@sigil-mcp/protocol';
import { isObject } from '@sigil-mcp/core/adapter';

/** The date of the draft. */
export const NEXT = '2026-12-01';

const before = ALL_RULES.at(-1) ?? ALL_RULES[0];

function operation(method: string): Operation {
  const found = ALL_OPERATIONS.find((one) => one.method === method);
  if (!found) throw new Error(method);
  return found;
}

const [call, list] = [operation('tools/call'), operation('tools/list')];

/** `outputs` in place of `content` and `structuredContent`. */
const CALL: Operation = {
  ...call,
  compile(wire) {
    const { writeMembers: _members, ...codec } = call.compile(wire);
    return {
      ...codec,
      writeResult(result) {
        const { content, structuredContent, ...rest } = codec.writeResult(result);
        const blocks = Array.isArray(content) ? content : [];
        const outputs: JsonValue[] = blocks.map((block: JsonValue) => ({ variant: 'content', value: block }));
        if (structuredContent !== undefined) outputs.unshift({ variant: 'structured', value: structuredContent });
        return { outputs, ...rest };
      },
    };
  },
};

/** `outputVariants` in place of `outputSchema`. */
const LIST: Operation = {
  ...list,
  compile(wire) {
    const codec = list.compile(wire);
    return {
      ...codec,
      writeResult(result) {
        const { tools, ...rest } = codec.writeResult(result);
        return { tools: Array.isArray(tools) ? tools.map(withVariants) : [], ...rest };
      },
    };
  },
};

function withVariants(tool: JsonValue): JsonValue {
  if (!isObject(tool)) return tool;
  const { outputSchema, ...rest } = tool;
  const structured: JsonObject[] = outputSchema === undefined ? [] : [{ variant: 'structured', schema: outputSchema }];
  return { ...rest, outputVariants: [...structured, { variant: 'content' }] };
}

/** 2026-07-28, and what the draft changes. */
export const NEXT_REVISION = compileRevision(
  extendRevision(before, {
    version: NEXT,
    removes: { requests: [call, list] },
    adds: { requests: [CALL, LIST] },
  }),
);
