/** What a resource's method returned -> the neutral result of `resources/read`. */
import type { CacheHints, ReadResourceResult, ResourceContents } from '@sigil-mcp/protocol';
import { unknownResource } from '../errors/unknown-entry';
import { isBytes, toBase64 } from './bytes';
import { plainData } from './plain-data';
import { isResourceContents, type ResourcePiece } from './resource-contents';

/** What is declared about a resource's contents. */
export interface DeclaredContents {
  /** `WeatherFeature.today`, for the error about data that JSON cannot say. */
  readonly where: string;
  readonly mimeType: string | undefined;
  readonly cache: CacheHints | undefined;
}

/**
 * Compiles the shaping of one resource's contents. A MIME type is always written: the declared one, or the one that the
 * kind of data implies. Nothing (undefined or null) means that there is no such resource.
 */
export function compileResourceOutput(declared: DeclaredContents): (value: unknown, uri: string) => ReadResourceResult {
  return (value, uri) => {
    // A template matches more than there is; nothing is how a handler says so.
    if (value === undefined || value === null) throw unknownResource(uri);
    const pieces = isResourceContents(value) ? value.pieces : [{ data: value }];
    return { contents: pieces.map((piece) => shapePiece(piece, uri, declared)), ...declared.cache };
  };
}

function shapePiece(piece: ResourcePiece, readUri: string, declared: DeclaredContents): ResourceContents {
  const { uri = readUri, mimeType = declared.mimeType, data, meta } = piece;
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
