/** The return value of a resource's method -> the neutral result of `resources/read`. */
import type { CacheHints, ContentBlock, ReadResourceResult, ResourceContents } from '@sigil-mcp/protocol';
import { sigilError, unknownResource } from '../errors/catalogue';
import { misplacedOutput, unwritableOutput } from '../errors/failures';
import {
  contentBlocks,
  isBytes,
  isContentBlock,
  isContentList,
  isResourceContents,
  toBase64,
  type ResourcePiece,
} from './content-blocks';
import { isToolResult } from './tool-result';
import { writtenContents } from './shape-prompt-messages';
import { writeData } from '@sigil-mcp/schema/plain';

/** What is declared about a resource's contents. */
export interface DeclaredContents {
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
