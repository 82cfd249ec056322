/** Descriptions that begin with TODO, as `sigil add` writes them. */

/** Whether a text is a placeholder, which tells a model nothing. */
export function isPlaceholder(text: string): boolean {
  return /^\s*TODO\b/.test(text);
}

/** The text with a mark in front if it is a placeholder. */
export function markedDescription(text: string): string {
  return isPlaceholder(text) ? `! ${text.trim()}` : text;
}
