/**
 * Finds captures, the texts between literals, each as long as possible from left to right. If the tokens are unambiguous, a regular
 * expression does it. Otherwise an expression would try every way to divide a hostile text, so each character is then examined a
 * fixed number of times.
 */

/** A captured part of a text: as many characters as precede one that it must not contain. */
export interface Capture {
  /** Characters that it does not contain. */
  readonly stops: string;
  /** The character that it begins with, if it is present at all; undefined for a capture that is required and not empty. */
  readonly opener: string | undefined;
  /** Code points; undefined for any number. */
  readonly longest: number | undefined;
}

/** A literal, or a capture. */
export type TemplateToken = string | Capture;

type Divide = (text: string) => readonly string[] | undefined;

/** Compiles tokens to a function that returns the texts of their captures; undefined if they do not match the whole text. */
export function compileCaptures(tokens: readonly TemplateToken[]): Divide {
  if (tokens.every((token, index) => endsClearly(token, tokens[index + 1]))) return compilePattern(tokens);
  const first = tokens[0];
  const last = tokens.at(-1);
  const begin = typeof first === 'string' ? first : '';
  const end = typeof last === 'string' ? last : '';
  return (text) => (text.startsWith(begin) && text.endsWith(end) ? divide(text, tokens) : undefined);
}

/** Whether the next token begins with a character that the capture does not contain. */
function endsClearly(token: TemplateToken, next: TemplateToken | undefined): boolean {
  if (typeof token === 'string') return true;
  const border = typeof next === 'string' ? next.charAt(0) : next?.opener;
  return token.longest === undefined && (next === undefined || (border !== undefined && token.stops.includes(border)));
}

function compilePattern(tokens: readonly TemplateToken[]): Divide {
  const parts = tokens.map((token) => {
    if (typeof token === 'string') return escape(token);
    const character = token.stops === '' ? '[^]' : `[^${escape(token.stops)}]`;
    return token.opener === undefined ? `(${character}+)` : `((?:${escape(token.opener)}${character}*)?)`;
  });
  const pattern = new RegExp(`^${parts.join('')}$`);
  return (text) => pattern.exec(text)?.slice(1);
}

function escape(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** From the end to the start: at which indices do the remaining tokens match, and how far does a capture then reach? */
function divide(text: string, tokens: readonly TemplateToken[]): readonly string[] | undefined {
  const reaches: Int32Array[] = [];
  let fits = new Uint8Array(text.length + 1);
  fits[text.length] = 1;
  for (const token of [...tokens].reverse()) {
    if (typeof token === 'string') fits = beforeLiteral(text, token, fits);
    else {
      const ends = reachOf(token, text, fits);
      reaches.unshift(ends);
      fits = startsOf(ends);
    }
  }
  return fits[0] === 1 ? cut(text, tokens, reaches) : undefined;
}

/** The indices where a capture can begin. */
function startsOf(ends: Int32Array): Uint8Array<ArrayBuffer> {
  const starts = new Uint8Array(ends.length);
  for (let at = 0; at < ends.length; at++) if (ends[at] !== -1) starts[at] = 1;
  return starts;
}

function cut(text: string, tokens: readonly TemplateToken[], reaches: readonly Int32Array[]): readonly string[] {
  const captures: string[] = [];
  let at = 0;
  for (const token of tokens) {
    const end = typeof token === 'string' ? at + token.length : (reaches[captures.length]?.[at] ?? at);
    if (typeof token !== 'string') captures.push(text.slice(at, end));
    at = end;
  }
  return captures;
}

function beforeLiteral(text: string, literal: string, fits: Uint8Array): Uint8Array<ArrayBuffer> {
  const before = new Uint8Array(text.length + 1);
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    before[at] = fits[at + literal.length] ?? 0;
  }
  return before;
}

/** Index -> the last possible end of a capture that begins there, so that the rest matches; -1 if there is no such end. */
function reachOf({ stops, opener, longest }: Capture, text: string, fits: Uint8Array): Int32Array {
  const { length } = text;
  const ends = new Int32Array(length + 1).fill(-1);
  const endUpTo = lastEnds(text, fits);
  const limitOf = longest === undefined ? () => length : limits(text, longest);
  const openerCode = opener?.charCodeAt(0);
  const stopCodes = Uint16Array.from(stops, (stop) => stop.charCodeAt(0));
  if (opener !== undefined && fits[length]) ends[length] = length;
  let stop = length;
  for (let at = length - 1; at >= 0; at--) {
    const code = text.charCodeAt(at);
    const afterOpener = code === openerCode ? (endUpTo[stop] ?? -1) : -1;
    if (stopCodes.includes(code)) stop = at;
    if (opener === undefined) {
      const end = endUpTo[Math.min(stop, limitOf(at))] ?? -1;
      if (end > at) ends[at] = end;
    } else if (afterOpener > at) ends[at] = afterOpener;
    else if (fits[at]) ends[at] = at;
  }
  return ends;
}

/** Index -> the last index up to it at which a capture may end: the rest matches, and no percent-encoded byte is split. */
function lastEnds(text: string, fits: Uint8Array): Int32Array {
  const ends = new Int32Array(text.length + 1);
  let last = -1;
  for (let at = 0; at <= text.length; at++) {
    if (fits[at] && !isWithinByte(text, at)) last = at;
    ends[at] = last;
  }
  return ends;
}

/** Index -> the end of the given number of code points that begin there. Call it from the end to the start. */
function limits(text: string, longest: number): (at: number) => number {
  const begun = new Int32Array(text.length + 1);
  for (let at = 0; at < text.length; at++) begun[at + 1] = (begun[at] ?? 0) + (beginsCodePoint(text, at) ? 1 : 0);
  let end = text.length;
  return (at) => {
    while ((begun[end] ?? 0) - (begun[at] ?? 0) > longest) end -= 1;
    return end;
  };
}

const PERCENT = 0x25;

function isWithinByte(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === PERCENT || text.charCodeAt(at - 2) === PERCENT;
}

/** False within `%E2`, at a further byte of a character, and between the halves of a surrogate pair. */
function beginsCodePoint(text: string, at: number): boolean {
  if (isWithinByte(text, at)) return false;
  if (text.charCodeAt(at) === PERCENT) return !/[89ABab]/.test(text.charAt(at + 1));
  return !isSurrogate(text.charCodeAt(at), 0xdc00) || !isSurrogate(text.charCodeAt(at - 1), 0xd800);
}

function isSurrogate(code: number, half: 0xd800 | 0xdc00): boolean {
  return code >= half && code < half + 0x400;
}
