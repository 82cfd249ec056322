/** Lists of content: blocks and text, without the blocks that a condition left out. */
import { types } from 'node:util';
import type { ContentBlock } from '@sigil-mcp/protocol';
import { mixedOutput, unwritableOutput } from '../errors/tool-failure';
import { isObject, nameValue } from '@sigil-mcp/base';
import { isContentBlock, text, isBytes } from './content-blocks';

/** Where a list was returned, for the error about what is no content. */
export interface ListLocation {
  /** `WeatherFeature.forecast`. */
  readonly where: string;
  /** Names from the result down to the list; none where it is the result. */
  readonly path: readonly string[];
}

/** Whether a value is an array or a Set with a block in it; one of nothing but text is data. */
export function isContentList(value: unknown): value is Iterable<unknown> {
  if (Array.isArray(value)) return value.some(isContentBlock);
  return types.isSet(value) && [...value].some(isContentBlock);
}

/**
 * The blocks of a list; undefined, null and false are left out.
 * @throws InvalidOutput for what is neither text nor a block
 */
export function contentBlocks(list: Iterable<unknown>, place: ListLocation): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  let index = 0;
  for (const item of list) {
    if (typeof item === 'string') blocks.push(text(item));
    else if (isBlock(item)) blocks.push(item);
    else if (item !== undefined && item !== null && item !== false) throw noContent(item, index, place);
    index += 1;
  }
  return blocks;
}

function noContent(item: unknown, index: number, { where, path }: ListLocation): Error {
  const place = [...path, index];
  if (isBytes(item)) return unwritableOutput(where, { path: place, what: 'binary data', isBytes: true });
  return mixedOutput(where, place, nameValue(item));
}

/** Whether a value is a block, made by our functions or written out. */
export function isBlock(value: unknown): value is ContentBlock {
  return isContentBlock(value) || (isObject(value) && isWrittenBlock(value));
}

function isWrittenBlock(block: Readonly<Record<string, unknown>>): boolean {
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string';
    case 'image':
    case 'audio':
      return typeof block['data'] === 'string' && typeof block['mimeType'] === 'string';
    case 'resource':
      return isResourceText(block['resource']);
    case 'resource_link':
      return typeof block['uri'] === 'string' && typeof block['name'] === 'string';
    default:
      return false;
  }
}

/** Whether a value is a piece of a resource's contents, written out. */
export function isResourceText(value: unknown): value is { readonly uri: string } {
  if (!isObject(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}
