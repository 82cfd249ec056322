/** Opaque cursors: they name the place of the last entry of a page, and so hold while entries come and go. */
import { ProtocolError } from '@sigil-mcp/protocol';
import type { EntryKind } from './entry-facts';

/** Writes the cursor that goes on after a place. */
export function writeCursor(kind: EntryKind, place: number): string {
  return Buffer.from(`${kind}:${place}`).toString('base64url');
}

/**
 * Reads a cursor of this kind of list; throws `invalid-params` for anything that this server did not write.
 * @param places how many places were ever given out
 */
export function readCursor(kind: EntryKind, cursor: string, places: number): number {
  const decoded = Buffer.from(cursor, 'base64url').toString();
  const place = Number(decoded.slice(kind.length + 1));
  if (!(place >= 0 && place < places) || writeCursor(kind, place) !== cursor) {
    throw new ProtocolError('invalid-params', 'Invalid cursor. Ask for the first page without one.');
  }
  return place;
}
