/** Texts of a document for a model: without markup, and short. */

/** Characters that change how a text is shown, or that nobody sees. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Sentences that tell a model nothing: where more is to be read, and what only clients of HTTP need. */
const EMPTY =
  /\bfor (?:more|additional|further) (?:information|details)\b|\bsee (?:also |the |our )?(?:["“]|documentation|docs|guide|https?:)|^see\b|custom media type|^`?application\/|^response will include|rate limit|content-length|^learn more|\bas of \d{4}|^you can use the rest api to\b/i;

/** A text without Markdown, HTML and line breaks. */
export function plainText(text: string): string {
  return text
    .slice(0, 20_000)
    .replace(/<!--[^]*?-->/g, ' ')
    .replace(/^[ \t]*>[ \t]*\[!\w+\][ \t]*$/gm, ' ')
    .replace(/```[^]*?```/g, ' ')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^[\]]*)\]\([^)\s]*(?:\s+"[^"]*")?\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, ' ')
    .replace(/^\s{0,3}(?:#{1,6}|>|[*+-])\s+/gm, '')
    .replace(/\*\*([^*]+)\*\*/g, '$1')
    .replace(/(^|[\s(])[_*]([^_*]+)[_*](?=[\s.,;:)]|$)/g, '$1$2')
    .replace(/\\([_*`[\]])/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .trim();
}

/** The first sentences of a text, as far as they fit. */
export function firstSentences(text: string, most: number): string {
  const plain = plainText(text);
  if (plain === '') return '';
  const all = plain.split(/(?<=[.!?]["”]? )/);
  const useful = all.filter((sentence) => !EMPTY.test(sentence.trim()));
  const sentences = useful.length > 0 ? useful : all.slice(0, 1);
  let taken = '';
  for (const sentence of sentences) {
    if ((taken + sentence).trimEnd().length > most) break;
    taken += sentence;
  }
  if (taken.trim() !== '') return taken.trim();
  const [first = ''] = sentences;
  const cut = first.slice(0, most - 1);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2)).trimEnd()}…`;
}

/** A text that a server with `strict: true` starts with. */
export function described(text: string): string {
  return /^\s*TODO\b/.test(text) ? `Note: ${text.trim()}` : text;
}

/** Ends with a full stop. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…:)]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
