/** The contents of a resource, if one value is not enough: several parts, their own types, metadata. */
import { requireOptions, withOthers, type OptionRule } from '@sigil-mcp/base';
import type { Meta } from '@sigil-mcp/protocol';

const madeByContents = Symbol.for('sigil.resource-contents');

/** One piece of a resource's contents. */
export interface ResourcePiece {
  /** URI of a sub-resource; the URI that was read if left out. */
  readonly uri?: string;
  /** MIME type of the piece; that of the resource, or else the one that the data implies, if left out. */
  readonly mimeType?: string;
  /** Text stays text, bytes become a blob, other data becomes JSON text. */
  readonly data: unknown;
  /** What the piece travels with as `_meta`; nothing if left out. */
  readonly meta?: Meta;
}

const MEMBERS: Readonly<Record<keyof ResourcePiece, OptionRule | undefined>> = {
  uri: undefined,
  mimeType: undefined,
  data: undefined,
  meta: undefined,
};
/** A piece may be a row of a database. */
const RULES = withOthers(MEMBERS, { needs: 'data' });

/** What a resource's method returns to say its contents piece by piece; made by `contents`. */
export interface ResourceContentsList {
  readonly pieces: readonly ResourcePiece[];
  readonly [madeByContents]: true;
}

/**
 * Says a resource's contents piece by piece.
 * @throws DefinitionError for a member that is misspelt
 * @param pieces in the order in which the client gets them
 * @example return contents({ data: readme, mimeType: 'text/markdown' }, { uri: `${uri}/logo`, data: png, mimeType: 'image/png' });
 */
export function contents(...pieces: ResourcePiece[]): ResourceContentsList {
  for (const piece of pieces)
    for (const name in piece) if (!Object.hasOwn(MEMBERS, name)) requireOptions('contents', piece, RULES);
  return { pieces, [madeByContents]: true };
}

/** Whether a value was made by `contents`. */
export function isResourceContents(value: unknown): value is ResourceContentsList {
  return typeof value === 'object' && value !== null && madeByContents in value;
}
