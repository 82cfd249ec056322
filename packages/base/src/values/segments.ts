/** The segments of a text from anyone, in work that grows with its length: words, or characters as readers see them. */

/**
 * Characters that are segmented at once: V8 copies the whole text for each of its segments, so that the work and the memory for a whole text
 * would grow with the square of its length.
 */
const PIECE = 64;

/** Cuts a text of any length. A segment that is longer than 64 characters may be cut in several. */
export function segmentsOf(text: string, segmenter: Intl.Segmenter): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = endOfPiece(text, at);
    const segments = [...segmenter.segment(text.slice(at, end))].map(({ segment }) => segment);
    // The last segment may go on behind the piece: it is the beginning of the next one.
    if (end < text.length && segments.length > 1) segments.pop();
    found.push(...segments);
    at += segments.join('').length;
  }
  return found;
}

/** Pairs of surrogates are not halved. */
function endOfPiece(text: string, at: number): number {
  const end = at + PIECE;
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}
