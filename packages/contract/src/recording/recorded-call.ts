/** A call as it is recorded: one JSON object a line, without what is sensitive. */
import { isObject } from '@sigil-mcp/base';

/** The methods whose calls are recorded. */
export const RECORDED_METHODS = ['tools/call', 'resources/read', 'prompts/get'] as const;

/** A method whose calls are recorded. */
export type RecordedMethod = (typeof RECORDED_METHODS)[number];

/** How a call ended. */
export type RecordedOutcome =
  /** A result that is no failure. */
  | 'result'
  /** A result of a tool with `isError`. */
  | 'failed'
  /** An error of JSON-RPC. */
  | 'error'
  /** Anything else: it became a task, it was cancelled, or its last answer was a question. */
  | 'other';

/** A recorded call. */
export interface RecordedCall {
  /** The version of this format. */
  readonly v: 1;
  /** When it was answered: ISO 8601, in UTC. */
  readonly time: string;
  /** The date of the revision in which it was answered. */
  readonly revision: string;
  readonly method: RecordedMethod;
  /** The name of the tool or prompt, the URI of the resource, or the URI template. */
  readonly entry: string;
  /** The name or the URI that the client sent, with its arguments; sensitive values are `[sensitive]`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether `params` lacks something sensitive, so that the call cannot be repeated; false if left out. */
  readonly isRedacted?: boolean;
  /** Whether the client was asked something, so that the answer depends on more than `params`; false if left out. */
  readonly hasAsked?: boolean;
  readonly outcome: RecordedOutcome;
  /** Of `outcome: 'error'`: the code of JSON-RPC. */
  readonly code?: number;
  /** Of `outcome: 'result'`: structured content, or else content, contents or messages; left out if it was too long, or not to be recorded. */
  readonly result?: unknown;
  /** The scopes and roles of the caller. */
  readonly caller: { readonly kind: string; readonly scopes: readonly string[]; readonly roles: readonly string[] };
  /** Milliseconds. */
  readonly duration: number;
}

/** Reads a line; undefined for one that is no recorded call. */
export function readRecordedCall(line: string): RecordedCall | undefined {
  try {
    const value = JSON.parse(line) as Partial<RecordedCall> | null;
    const isCall =
      value?.v === 1 &&
      RECORDED_METHODS.some((method) => method === value.method) &&
      typeof value.entry === 'string' &&
      typeof value.outcome === 'string' &&
      isObject(value.params) &&
      !Array.isArray(value.params);
    // The members that are read before anything is sent were checked.
    return isCall ? (value as RecordedCall) : undefined;
  } catch {
    return undefined;
  }
}

/** The part of a result that is compared: content repeats structured content as text. */
export function partOf(result: object): unknown {
  const { structuredContent, content, contents, messages } = result as Readonly<Record<string, unknown>>;
  return structuredContent ?? content ?? contents ?? messages;
}

// A recorded answer and a new one -> what has changed.

/** A new answer. */
export type NewAnswer =
  | { readonly kind: 'result'; readonly result: object }
  | { readonly kind: 'error'; readonly code: number | undefined; readonly message: string };

/**
 * What has changed. `same`: nothing that was recorded. `fails`: it had a result, and now an error, or a result with `isError`. `works`: the other
 * way round. `shape`: members are missing, or of another type. `values`: other values of the same types.
 */
export type AnswerVerdict = 'same' | 'fails' | 'works' | 'shape' | 'values';

/** The difference between two answers. */
export interface AnswerChange {
  readonly verdict: AnswerVerdict;
  /** Where, as JSON Pointers, and what; at most ten. */
  readonly details: readonly string[];
}

const MOST_DETAILS = 10;
/** What `redact` puts instead of values. */
const REDACTED: ReadonlySet<unknown> = new Set(['[sensitive]', '[undeclared]']);

/** Compares. What was not recorded of a result is not compared. */
export function compareAnswers(before: RecordedCall, now: NewAnswer): AnswerChange {
  const failure = failureOf(now);
  const didWork = before.outcome === 'result';
  if (failure !== undefined) return { verdict: didWork ? 'fails' : 'same', details: didWork ? [failure] : [] };
  if (!didWork) return { verdict: 'works', details: [] };
  if (before.result === undefined || now.kind === 'error') return { verdict: 'same', details: [] };
  const found: Difference[] = [];
  compare(before.result, plainOf(partOf(now.result)), '', found);
  if (found.length === 0) return { verdict: 'same', details: [] };
  const isShape = found.some(({ kind }) => kind === 'shape');
  const shown = found.filter(({ kind }) => !isShape || kind === 'shape').slice(0, MOST_DETAILS);
  return { verdict: isShape ? 'shape' : 'values', details: shown.map(({ words }) => words) };
}

function failureOf(answer: NewAnswer): string | undefined {
  if (answer.kind === 'error') return answer.code === undefined ? answer.message : `${answer.code}: ${answer.message}`;
  const { isError, content } = answer.result as Readonly<Record<string, unknown>>;
  if (isError !== true) return undefined;
  const texts = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const words = texts.flatMap((block) => (isObject(block) && typeof block['text'] === 'string' ? [block['text']] : []));
  return words.join(' ') || 'a result with isError';
}

interface Difference {
  readonly kind: 'shape' | 'values';
  readonly words: string;
}

function compare(before: unknown, now: unknown, path: string, found: Difference[]): void {
  if (found.length > MOST_DETAILS * 10 || REDACTED.has(before)) return;
  const where = path === '' ? '/' : path;
  const [was, is] = [typeOf(before), typeOf(now)];
  if (was !== is) found.push({ kind: 'shape', words: `${where} was ${was}, and is ${is}` });
  else if (Array.isArray(before) && Array.isArray(now)) compareLists(before, now, path, found);
  else if (isObject(before) && isObject(now)) compareObjects(before, now, path, found);
  else if (before !== now) found.push({ kind: 'values', words: `${where} was ${shown(before)}, and is ${shown(now)}` });
}

/** Lists may have other lengths: what is in both is compared, and new items have the types of the others. */
function compareLists(before: readonly unknown[], now: readonly unknown[], path: string, found: Difference[]): void {
  if (before.length !== now.length)
    found.push({
      kind: 'values',
      words: `${path === '' ? '/' : path} had ${before.length} items, and has ${now.length}`,
    });
  for (let index = 0; index < Math.min(before.length, now.length); index += 1)
    compare(before[index], now[index], `${path}/${index}`, found);
}

/** New members are compatible: a caller does not know them. */
function compareObjects(
  before: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
  path: string,
  found: Difference[],
): void {
  for (const [name, value] of Object.entries(before)) {
    const place = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (Object.hasOwn(now, name)) compare(value, now[name], place, found);
    else found.push({ kind: 'shape', words: `${place} is missing` });
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** As it was recorded: through JSON. */
function plainOf(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
