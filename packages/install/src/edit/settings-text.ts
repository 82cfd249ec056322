/** Positions in the text of a file of settings, and changes of it by parts. */

/** A mistake in a file. */
interface SettingsProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

/** A parsed file. */
export type ParsedSettings =
  { readonly value: unknown; readonly problem?: undefined } | { readonly problem: SettingsProblem };

/** A part of a text. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The line ends of a file. */
export function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** A text with another one in place of a part. */
export function replace(text: string, { from, to }: Span, by: string): string {
  return text.slice(0, from) + by + text.slice(to);
}

/** A text with another one at a position. */
export function insert(text: string, at: number, added: string): string {
  return replace(text, { from: at, to: at }, added);
}

/** Where the line of a position begins. */
export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

/** Where the line of a position ends, before what ends it. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}

/** The spaces and tabs at the beginning of the line of a position. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
}

/** A value within new members; `-` is an element of a list. */
export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, part) => (part === '-' ? [inner] : { [part]: inner }), value);
}

/** A member between braces or brackets. */
interface BracedMember {
  readonly member: Span;
  /** The one before it, if there is one. */
  readonly before: Span | undefined;
  readonly isLast: boolean;
}

/** Cuts a member out of braces or brackets, with its comma, and with its line if it has one of its own. */
export function cutMember(text: string, { member, before, isLast }: BracedMember): string {
  const comma = commaAfter(text, member.to);
  let { from } = member;
  let to = comma ?? member.to;
  const start = lineStart(text, from);
  const rest = /^[ \t]*\r?\n/.exec(text.slice(to));
  if (text.slice(start, from).trim() === '' && rest) {
    from = start;
    to += rest[0].length;
  } else from = start + text.slice(start, from).trimEnd().length;
  const shorter = text.slice(0, from) + text.slice(to);
  const orphan = isLast && comma === undefined && before ? commaAfter(text, before.to) : undefined;
  return orphan === undefined ? shorter : shorter.slice(0, orphan - 1) + shorter.slice(orphan);
}

/** The position after the comma that follows, past comments. */
export function commaAfter(text: string, from: number): number | undefined {
  const [skipped = ''] = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(text.slice(from)) ?? [];
  const at = from + skipped.length;
  return text[at] === ',' ? at + 1 : undefined;
}
