/**
 * Results that a handler wrote in the format of the protocol, as the official SDK requires. They are treated as results: as data they
 * would hide from the client that a call failed.
 */
import type { ReadResourceResult } from '@sigil-mcp/protocol';
import { isBlock, isResourceText } from './content-list';
import type { ToolResultInit } from './tool-result';

const OF_TOOLS = ['content', 'structuredContent', 'isError', '_meta'];
const OF_PROMPTS = ['messages', 'description'];
const OF_RESOURCES = ['contents', '_meta'];

/** The parts of a tool's result that was written out; undefined for any other value. */
export function writtenToolResult(value: object): ToolResultInit | undefined {
  if (!('content' in value) || !Array.isArray(value.content) || !hasOnly(value, OF_TOOLS)) return undefined;
  const { content, structuredContent, isError, _meta } = value as WrittenToolResult;
  const isPlain = typeof isError === 'boolean' || structuredContent !== undefined;
  if (!isPlain && !(content.length > 0 && content.every(isBlock))) return undefined;
  return { content, structured: structuredContent, isError: isError === true, ...(_meta && { meta: _meta }) };
}

/** What was written, as far as its names say it; its content is read block by block. */
interface WrittenToolResult extends Omit<ToolResultInit, 'content'> {
  readonly content: readonly never[];
  readonly structuredContent?: unknown;
  readonly _meta?: ToolResultInit['meta'] & {};
}

/** The contents of a resource that were written out; undefined for any other value. */
export function writtenContents(value: unknown): ReadResourceResult | undefined {
  if (typeof value !== 'object' || value === null || !('contents' in value)) return undefined;
  const { contents } = value;
  if (!Array.isArray(contents) || contents.length === 0 || !hasOnly(value, OF_RESOURCES)) return undefined;
  // Its members were all looked at.
  return contents.every(isResourceText) ? (value as ReadResourceResult) : undefined;
}

/** The messages of a prompt that were written out, each still to be read; undefined for any other value. */
export function writtenPrompt(
  value: unknown,
): { readonly messages: readonly unknown[]; readonly description?: string } | undefined {
  if (typeof value !== 'object' || value === null || !('messages' in value)) return undefined;
  const { messages } = value;
  if (!Array.isArray(messages) || !hasOnly(value, OF_PROMPTS)) return undefined;
  const { description } = value as { readonly description?: unknown };
  return { messages, ...(typeof description === 'string' && { description }) };
}

function hasOnly(value: object, names: readonly string[]): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.keys(value).every((name) => names.includes(name));
}
