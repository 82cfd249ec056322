/** A resource's contents where one value is not enough: several pieces, types of their own, metadata. */
import type { Meta } from '@sigil-mcp/protocol';

const RESOURCE_CONTENTS = Symbol.for('sigil.resource-contents');

/** One piece of a resource's contents. */
export interface ResourcePiece {
  /** The URI that was read, if left out; else of a sub-resource. */
  readonly uri?: string;
  readonly mimeType?: string;
  /** Text stays text, bytes become a blob, other data becomes JSON text. */
  readonly data: unknown;
  readonly meta?: Meta;
}

/** Made by `contents`. */
export interface ResourceContentsList {
  readonly pieces: readonly ResourcePiece[];
  readonly [RESOURCE_CONTENTS]: true;
}

/**
 * Says a resource's contents piece by piece.
 * @example return contents({ data: readme, mimeType: 'text/markdown' }, { uri: `${uri}/logo`, data: png, mimeType: 'image/png' });
 */
export function contents(...pieces: ResourcePiece[]): ResourceContentsList {
  return { pieces, [RESOURCE_CONTENTS]: true };
}

/** Whether a value was made by `contents`. */
export function isResourceContents(value: unknown): value is ResourceContentsList {
  return typeof value === 'object' && value !== null && RESOURCE_CONTENTS in value;
}
