/**
 * Results of the kinds of Sigil that an interceptor has copied as plain data, as `ClassSerializerInterceptor` does: pictures, bytes, results
 * made by `toolResult`. Core knows them by marks and classes, which a copy does not have.
 */
import { contents, toolResult, type ResourceContentsList, type ToolResult, type ToolResultInit } from '@sigil-mcp/core';
import {
  isBlock,
  isBytes,
  isContentBlock,
  isObject,
  isResourceContents,
  isToolResult,
  markContent,
} from '@sigil-mcp/core/internal';

type Members = Readonly<Record<string, unknown>>;

/**
 * What has come out of the interceptors, of the kind that it had before.
 * @param returned what the handler has returned
 * @param outcome what has come out of the interceptors: another value than a copy stays as it is
 */
export function withKind(returned: unknown, outcome: unknown): unknown {
  if (outcome === returned) return outcome;
  if (Array.isArray(outcome)) return listWithKinds(returned, outcome);
  if (!isObject(outcome)) return outcome;
  if (isContentBlock(returned)) return blockOf(returned, outcome);
  if (isBytes(returned)) return isCopyOfBytes(returned, outcome) ? returned : outcome;
  if (isToolResult(returned)) return resultOf(returned, outcome);
  if (isResourceContents(returned)) return contentsOf(returned, outcome);
  if (isMessage(returned)) return isEmptied(outcome) ? returned : outcome;
  return isMessages(returned) ? messagesOf(returned, outcome) : outcome;
}

function listWithKinds(returned: unknown, outcome: readonly unknown[]): readonly unknown[] {
  // A copy of a Set is a list.
  const before: readonly unknown[] = returned instanceof Set ? [...returned] : Array.isArray(returned) ? returned : [];
  if (!before.some((item) => isContentBlock(item) || isMessage(item))) return outcome;
  return outcome.map((item, index) => withKind(before[index], item));
}

function blockOf(returned: { readonly type: string }, outcome: Members): unknown {
  if (isContentBlock(outcome)) return outcome;
  if (isEmptied(outcome)) return returned;
  return isBlock(outcome) && outcome.type === returned.type ? markContent(outcome) : outcome;
}

/** A copy of bytes that are no `Buffer` has an index as the name of each byte. */
function isCopyOfBytes(bytes: Uint8Array, outcome: Members): boolean {
  if (isBytes(outcome)) return false;
  const names = Object.keys(outcome);
  if (isEmptied(outcome)) return true;
  return names.length === bytes.length && bytes.every((byte, index) => outcome[index] === byte);
}

const PARTS = ['content', 'structured', 'isError', 'meta'];

/** The data is that of the copy, without what a class excludes. A failure stays one, even where the copy has nothing. */
function resultOf(returned: ToolResult, outcome: Members): unknown {
  if (isToolResult(outcome) || !Object.keys(outcome).every((name) => PARTS.includes(name))) return outcome;
  const { content = returned.content, structured, isError = returned.isError, meta = returned.meta } = outcome;
  if (content !== undefined && typeof content !== 'string' && !Array.isArray(content) && !isBlock(content))
    return outcome;
  return toolResult({ content, structured, isError, meta } as ToolResultInit);
}

function contentsOf(returned: ResourceContentsList, outcome: Members): unknown {
  if (isResourceContents(outcome)) return outcome;
  const before = returned.pieces;
  if (isEmptied(outcome)) return before.every(({ data }) => isWithoutClass(data)) ? returned : outcome;
  const { pieces, ...others } = outcome;
  if (!Array.isArray(pieces) || !pieces.every(isPiece) || !isEmptied(others)) return outcome;
  return contents(...pieces.map((piece, index) => ({ ...piece, data: withKind(before[index]?.data, piece.data) })));
}

function isPiece(piece: unknown): piece is { readonly data: unknown } {
  return isObject(piece) && 'data' in piece;
}

function messagesOf(returned: PromptMessages, outcome: Members): unknown {
  if (isEmptied(outcome)) return returned;
  const { messages } = outcome;
  return Array.isArray(messages) ? { ...outcome, messages: listWithKinds(returned.messages, messages) } : outcome;
}

interface PromptMessages {
  readonly messages: readonly unknown[];
}

function isMessages(value: unknown): value is PromptMessages {
  if (!isObject(value)) return false;
  const { messages } = value;
  return Array.isArray(messages) && messages.some((item) => isContentBlock(item) || isMessage(item));
}

/** Whether a value is a message of a prompt with a block. */
function isMessage(value: unknown): boolean {
  return isObject(value) && 'role' in value && isContentBlock(value['content']);
}

/** Whether data has no class that could exclude a part of it. */
function isWithoutClass(data: unknown): boolean {
  return typeof data !== 'object' || data === null || isBytes(data) || isContentBlock(data);
}

/** What the strategy `excludeAll` makes of an object without decorators. */
function isEmptied(outcome: Members): boolean {
  return Object.getPrototypeOf(outcome) === Object.prototype && Object.keys(outcome).length === 0;
}
