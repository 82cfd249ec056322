/** The return value of a tool's method -> the neutral result of `tools/call`. */
import { isObjectRooted, type CallToolResult, type ContentBlock, type Meta } from '@sigil-mcp/protocol';
import { misplacedOutput, unfitOutput } from '../errors/failures';
import { isPromise, type MaybePromise } from '@sigil-mcp/base';
import type { OutputShape, Reading } from '@sigil-mcp/schema';
import {
  audio,
  contentBlocks,
  embedded,
  image,
  isBytes,
  isContentBlock,
  isContentList,
  isResourceContents,
  text,
  type Bytes,
} from './content-blocks';
import { plainData, writtenToolResult } from './shape-contents';
import { isToolResult, type ToolResultInit } from './results';

/** How one tool's return values become results. */
export type ShapeToolOutput = (value: unknown) => MaybePromise<CallToolResult>;

/** The declared output of a tool. */
export interface ToolOutput {
  readonly tool: string;
  /** `WeatherFeature.forecast`, for the error about output that does not match. */
  readonly where: string;
  /** Undefined if the tool declares no output class. */
  readonly shape: OutputShape | undefined;
  /** MIME type of bytes that the tool returns. */
  readonly mimeType: string | undefined;
}

/** Compiles the conversion of one tool's output. Output that does not match its declaration throws `InvalidOutput`. */
export function compileToolOutput(output: ToolOutput): ShapeToolOutput {
  const write = output.shape && writeDeclared(output.shape, output.where);
  return (value) => {
    if (isToolResult(value)) return shapeToolResult(value, write, output.where);
    if (write) return write(value, NOTHING_SAID);
    return isBytes(value) ? bytesResult(value, output) : shapeFree(value, output.where);
  };
}

/** The parts of a result besides its data. */
interface ResultParts {
  /** Undefined if the text of the data is used instead. */
  readonly blocks: readonly ContentBlock[] | undefined;
  readonly isError: boolean;
  readonly meta: Meta | undefined;
}

const NOTHING_SAID: ResultParts = { blocks: undefined, isError: false, meta: undefined };

type WriteStructured = (value: unknown, said: ResultParts) => MaybePromise<CallToolResult>;

function writeDeclared(output: OutputShape, where: string): WriteStructured {
  const structuredRoot = isObjectRooted(output.schema) ? 'object' : 'any';
  const accept = (reading: Reading<unknown>, said: ResultParts): CallToolResult => {
    if (!reading.ok) throw unfitOutput(where, reading.failures);
    return structuredResult(reading.value, said, structuredRoot);
  };
  return (value, said) => {
    const reading = output.write(value);
    return isPromise(reading) ? reading.then((read) => accept(read, said)) : accept(reading, said);
  };
}

function shapeFree(value: unknown, where: string): MaybePromise<CallToolResult> {
  if (value === undefined || value === null) return { content: [], isError: false };
  if (typeof value === 'string') return { content: [text(value)], isError: false };
  if (isContentBlock(value)) return { content: [value], isError: false };
  if (isContentList(value)) return { content: contentBlocks(value, { where, path: [] }), isError: false };
  const isNumber = typeof value === 'number' && Number.isFinite(value);
  if (isNumber || typeof value === 'boolean' || typeof value === 'bigint') {
    return { content: [text(String(value))], isError: false };
  }
  const written = typeof value === 'object' ? writtenToolResult(value) : undefined;
  if (written) return shapeToolResult(written, undefined, where);
  if (isResourceContents(value)) throw misplacedOutput(where, 'contents', 'resources');
  return structuredResult(plainData(value, where), NOTHING_SAID);
}

const NO_DATA = [{ path: '', message: 'there is content without data, which toolResult() takes as { structured }' }];

function shapeToolResult(
  returned: ToolResultInit,
  write: WriteStructured | undefined,
  where: string,
): MaybePromise<CallToolResult> {
  const { structured, content, isError = false, meta } = returned;
  const blocks = content === undefined ? undefined : saidBlocks(content, where);
  if (write && structured === undefined && !isError) throw unfitOutput(where, NO_DATA);
  if (structured === undefined || (isError && write)) return withMeta({ content: blocks ?? [], isError }, meta);
  const said = { blocks, isError, meta };
  return write ? write(structured, said) : structuredResult(plainData(structured, where), said);
}

function saidBlocks(content: ToolResultInit['content'], where: string): readonly ContentBlock[] {
  if (typeof content === 'string') return [text(content)];
  const list = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  return contentBlocks(list, { where, path: ['content'] });
}

/**
 * A result of data, with the same data as text for clients that read only text, unless other content was given. Its members are spelt
 * out, because the code that writes results is fastest if they have few shapes.
 */
function structuredResult(
  data: unknown,
  { blocks, isError, meta }: ResultParts,
  structuredRoot?: CallToolResult['structuredRoot'],
): CallToolResult {
  const structuredText = JSON.stringify(data);
  const content = blocks ?? [text(structuredText)];
  if (structuredRoot === undefined)
    return withMeta({ content, structuredContent: data, structuredText, isError }, meta);
  return withMeta({ content, structuredContent: data, structuredRoot, structuredText, isError }, meta);
}

function withMeta(result: CallToolResult, meta: Meta | undefined): CallToolResult {
  return meta ? { ...result, _meta: meta } : result;
}

/** A result of bytes: a picture or a sound becomes a block of its kind, other bytes an embedded resource. */
function bytesResult(bytes: Bytes, { tool, mimeType = 'application/octet-stream' }: ToolOutput): CallToolResult {
  const [family] = mimeType.split('/');
  if (family === 'image') return { content: [image(bytes, mimeType)], isError: false };
  if (family === 'audio') return { content: [audio(bytes, mimeType)], isError: false };
  return { content: [embedded({ uri: `tool:${tool}`, mimeType, blob: bytes })], isError: false };
}
