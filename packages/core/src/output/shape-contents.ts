/** The return value of a prompt's method -> the neutral result of `prompts/get`; of a resource's -> that of `resources/read`. */
import type {
  CacheHints,
  ContentBlock,
  GetPromptResult,
  PromptMessage,
  ReadResourceResult,
  ResourceContents,
} from '@sigil-mcp/protocol';
import { writeData } from '@sigil-mcp/schema/plain';
import { sigilError, unknownResource } from '../errors/catalogue';
import { misplacedOutput, unwritableOutput } from '../errors/failures';
import {
  contentBlocks,
  isBlock,
  isBytes,
  isContentBlock,
  isContentList,
  isResourceContents,
  isResourceText,
  text,
  toBase64,
  type ResourcePiece,
} from './content-blocks';
import { isToolResult, type ToolResultInit } from './results';

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
function writtenContents(value: unknown): ReadResourceResult | undefined {
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

// The return value of a resource's method -> the neutral result of `resources/read`.

/** What is declared about a resource's contents. */
interface DeclaredContents {
  /** `WeatherFeature.today`, for the error about data that JSON cannot say. */
  readonly where: string;
  readonly mimeType: string | undefined;
  readonly cache: CacheHints | undefined;
}

/**
 * Compiles the shaping of one resource's contents; blocks are contents, too. A MIME type is always written: the declared one, or the one that the
 * kind of data implies. Nothing (undefined or null) means that there is no such resource.
 */
export function compileResourceOutput(declared: DeclaredContents): (value: unknown, uri: string) => ReadResourceResult {
  return (value, uri) => {
    // A template matches more than there is; nothing is how a handler says so.
    if (value === undefined || value === null) throw unknownResource(uri);
    const written = writtenContents(value);
    if (written) return { ...written, contents: written.contents.map(withMimeType(declared)), ...declared.cache };
    return { contents: shapeContents(value, uri, declared), ...declared.cache };
  };
}

function shapeContents(value: unknown, uri: string, declared: DeclaredContents): ResourceContents[] {
  if (isContentList(value)) {
    const blocks = contentBlocks(value, { where: declared.where, path: [] });
    return blocks.map((block) => ({ uri, ...shapeBlock(block, declared.mimeType, declared) }));
  }
  if (isToolResult(value)) throw misplacedOutput(declared.where, 'toolResult', 'tools');
  const pieces = isResourceContents(value) ? value.pieces : [{ data: value }];
  return pieces.map((piece) => shapePiece(piece, uri, declared));
}

function shapePiece(piece: ResourcePiece, readUri: string, declared: DeclaredContents): ResourceContents {
  const { uri = readUri, mimeType = declared.mimeType, data, meta } = piece;
  if (isContentBlock(data)) return { uri, ...shapeBlock(data, mimeType, declared), ...(meta && { _meta: meta }) };
  return { uri, ...shapeData(data, mimeType, declared.where), ...(meta && { _meta: meta }) };
}

function shapeData(data: unknown, mimeType: string | undefined, where: string): Omit<ResourceContents, 'uri'> {
  if (typeof data === 'string') return { mimeType: mimeType ?? 'text/plain', text: data };
  if (isBytes(data)) return { mimeType: mimeType ?? 'application/octet-stream', blob: toBase64(data) };
  return {
    mimeType: mimeType ?? 'application/json',
    text: data === undefined ? '' : JSON.stringify(plainData(data, where)),
  };
}

/** A block as contents: an embedded resource is of a URI of its own. */
function shapeBlock(
  block: ContentBlock,
  mimeType: string | undefined,
  declared: DeclaredContents,
): Omit<ResourceContents, 'uri'> {
  switch (block.type) {
    case 'text':
      return shapeData(block.text, mimeType, declared.where);
    case 'image':
    case 'audio':
      return { mimeType: block.mimeType, blob: block.data };
    case 'resource':
      return withMimeType(declared)(block.resource);
    case 'resource_link':
      throw sigilError('SIGIL_OUTPUT_LINK', { where: declared.where });
  }
}

function withMimeType({ mimeType }: DeclaredContents): (contents: ResourceContents) => ResourceContents {
  return (contents) => {
    const implied = contents.blob === undefined ? 'text/plain' : 'application/octet-stream';
    return { ...contents, mimeType: contents.mimeType ?? mimeType ?? implied };
  };
}

/**
 * A copy of a value that holds nothing but what JSON can say.
 * @param where `WeatherFeature.forecast`, for the error
 * @throws InvalidOutput for what JSON cannot say, binary data included
 */
export function plainData(value: unknown, where: string): unknown {
  const reading = writeData(value);
  if (!reading.ok) throw unwritableOutput(where, reading.unwritable);
  return reading.data;
}
