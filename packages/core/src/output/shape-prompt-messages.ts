/** The return value of a prompt's method -> the neutral result of `prompts/get`. */
import type { GetPromptResult, PromptMessage, ReadResourceResult, ContentBlock } from '@sigil-mcp/protocol';
import { sigilError } from '../errors/catalogue';
import { isBlock, isContentBlock, isResourceText, text } from './content-blocks';
import type { ToolResultInit } from './tool-result';

const OF_TOOLS = ['content', 'structuredContent', 'isError', '_meta'];

const OF_PROMPTS = ['messages', 'description'];

const OF_RESOURCES = ['contents', '_meta'];

/** What was written, as far as its names say it; its content is read block by block. */
interface WrittenToolResult extends Omit<ToolResultInit, 'content'> {
  readonly content: readonly never[];
  readonly structuredContent?: unknown;
  readonly _meta?: ToolResultInit['meta'] & {};
}

/**
 * Compiles the shaping of one prompt's output: text and single blocks become messages of the user, messages stay what they
 * are, a list may mix them, and so may `{ messages }`, a result in the format of the protocol.
 * @param where `TravelFeature.planDay`, for the TypeError about what is no message
 */
export function compilePromptOutput(
  where: string,
  description: string | undefined,
): (value: unknown) => GetPromptResult {
  return (value) => {
    const written = writtenPrompt(value);
    const about = written?.description ?? description;
    const items = written ? written.messages : Array.isArray(value) ? (value as unknown[]) : [value];
    return {
      ...(about !== undefined && { description: about }),
      messages: items.map((item) => shapeMessage(item, where)),
    };
  };
}

function shapeMessage(item: unknown, where: string): PromptMessage {
  if (typeof item === 'string' || isContentBlock(item)) return userMessage(item);
  if (isMessage(item))
    return { role: item.role, content: typeof item.content === 'string' ? text(item.content) : item.content };
  throw sigilError('SIGIL_PROMPT_OUTPUT', { where });
}

function isMessage(
  item: unknown,
): item is Omit<PromptMessage, 'content'> & { content: PromptMessage['content'] | string } {
  if (typeof item !== 'object' || item === null || !('role' in item) || !('content' in item)) return false;
  const { role, content } = item;
  return (role === 'user' || role === 'assistant') && (typeof content === 'string' || isBlock(content));
}

/**
 * The parts of a tool's result that was written out; undefined for any other value.
 *
 * Results that a handler wrote in the format of the protocol, as the official SDK requires. They are treated as results: as data they
 * would hide from the client that a call failed.
 */
export function writtenToolResult(value: object): ToolResultInit | undefined {
  if (!('content' in value) || !Array.isArray(value.content) || !hasOnly(value, OF_TOOLS)) return undefined;
  const { content, structuredContent, isError, _meta } = value as WrittenToolResult;
  const isPlain = typeof isError === 'boolean' || structuredContent !== undefined;
  if (!isPlain && !(content.length > 0 && content.every(isBlock))) return undefined;
  return { content, structured: structuredContent, isError: isError === true, ...(_meta && { meta: _meta }) };
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
function writtenPrompt(
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

/**
 * Makes a message of the user.
 * @param content a block, or text
 * @example return [userMessage('Where should I go?'), assistantMessage('Tell me what you like.')];
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
 */
export function userMessage(content: ContentBlock | string): PromptMessage {
  return { role: 'user', content: typeof content === 'string' ? text(content) : content };
}

/**
 * Makes a message of the assistant.
 * @param content a block, or text
 * @example return [userMessage('Where should I go?'), assistantMessage('Tell me what you like.')];
 */
export function assistantMessage(content: ContentBlock | string): PromptMessage {
  return { role: 'assistant', content: typeof content === 'string' ? text(content) : content };
}
