/**
 * Finds the id of a message that is too long to be read. JSON writers put the id near the beginning or at the very end, so only these two
 * parts are kept and examined.
 */
import { parseJson } from '@sigil-mcp/base';
import type { RequestId } from '@sigil-mcp/protocol';

/** The kind of message on a line, and its id; `unknown` if it cannot be determined. */
export type LineSubject =
  | { readonly kind: 'request' | 'response'; readonly id: RequestId }
  | { readonly kind: 'notification' | 'unknown'; readonly id?: undefined };

const HEAD = 64 * 1024;
const TAIL = 1024;
const UNKNOWN: LineSubject = { kind: 'unknown' };

/** A line that is skipped. */
export class LongLine {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);

  /** @param most the length in bytes that every skipped line exceeds */
  constructor(private readonly most: number) {}

  /** Takes the next piece of the line. */
  add(piece: Buffer): void {
    const missing = Math.min(HEAD, this.most) - this.#head.length;
    if (missing > 0) this.#head = Buffer.concat([this.#head, piece.subarray(0, missing)]);
    this.#tail =
      piece.length >= TAIL ? Buffer.from(piece.subarray(-TAIL)) : Buffer.concat([this.#tail, piece]).subarray(-TAIL);
  }

  /** The subject, from the beginning of the line; undefined if its end may be needed. */
  get early(): LineSubject | undefined {
    const head = this.#head.toString('utf8').trimStart();
    if (!head.startsWith('{')) return UNKNOWN;
    const subject = subjectOf(membersOf(head));
    return subject.kind === 'unknown' || subject.kind === 'notification' ? undefined : subject;
  }

  /** The subject, from the beginning and the end of the complete line. */
  get late(): LineSubject {
    const head = this.#head.toString('utf8').trimStart();
    if (!head.startsWith('{')) return UNKNOWN;
    const members = membersOf(head);
    const end = LAST_ID.exec(this.#tail.toString('utf8'));
    if (end?.[1] !== undefined && !members.has('id')) members.set('id', end[1]);
    return subjectOf(members);
  }
}

/** The last members of an object, if they are simple values, with an `id` among them. */
const LAST_ID =
  /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"(?:jsonrpc|method)"\s*:\s*"(?:[^"\\]|\\.)*"\s*)*\}\s*$/;

function subjectOf(members: ReadonlyMap<string, string>): LineSubject {
  const id = idOf(members.get('id'));
  if (id === undefined && members.has('id')) return UNKNOWN;
  if (members.has('method') || members.has('params'))
    return id === undefined ? { kind: 'notification' } : { kind: 'request', id };
  if (members.has('result') || members.has('error')) return id === undefined ? UNKNOWN : { kind: 'response', id };
  return UNKNOWN;
}

function idOf(text: string | undefined): RequestId | undefined {
  const id = text === undefined ? undefined : parseJson(text);
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
}

/**
 * The visible members of the object at the beginning of a text: each with the text of its value if that is simple, otherwise with an
 * empty text. Each character is examined once.
 */
function membersOf(text: string): Map<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let before = '';
  let name: string | undefined;
  for (let at = 0, end = endOfToken(text, 0); end !== undefined; at = end, end = endOfToken(text, at)) {
    const token = text.slice(at, end).trim();
    if (token === '') continue;
    if (token === ':' && depth === 1) {
      name = nameOf(before);
      members.set(name, '');
    } else if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && before === ':' && name !== undefined) members.set(name, token);
    before = token;
  }
  return members;
}

/** The end of the token at a position: a text, a bracket or sign, or all characters up to one. Undefined if it is cut off. */
function endOfToken(text: string, start: number): number | undefined {
  if (start >= text.length) return undefined;
  if (text[start] === '"') return endOfText(text, start);
  if (isSign(text, start)) return start + 1;
  for (let at = start + 1; at < text.length; at += 1) if (isSign(text, at) || text[at] === '"') return at;
  return undefined;
}

function isSign(text: string, at: number): boolean {
  return SIGNS.has(text.charCodeAt(at));
}

function endOfText(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

const SIGNS: ReadonlySet<number> = new Set([...'[]{}:,'].map((sign) => sign.charCodeAt(0)));

function nameOf(token: string): string {
  const name = parseJson(token);
  return typeof name === 'string' ? name : token;
}
