/** What a text must be answered with, by JSON-RPC 2.0 and the specification; written anew here, so that it can judge the server. */
import type { Message } from '../../../support/transcript';

/** What is known of a request from its text alone. */
export interface ReadRequest {
  /** The id as JSON: `1` and `"1"` are two. */
  readonly key: string;
  /** Undefined where it is no text. */
  readonly method: string | undefined;
  /** Whether it names a revision itself. */
  readonly claims: boolean;
  /** Whether it may stay open as long as its client stays: nobody need answer it. */
  readonly isOpenEnded: boolean;
}

/** What has to come back. */
export type Expectation =
  | { readonly kind: 'nothing'; readonly cancels?: string }
  /** An error that names no request. */
  | { readonly kind: 'refusal' }
  | { readonly kind: 'answer'; readonly request: ReadRequest }
  /** Where the revision has batches each member is dealt with; else there is one refusal. */
  | { readonly kind: 'batch'; readonly members: readonly Expectation[]; readonly claims: boolean };

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** Longer batches are refused (`limits.batchMessages`). */
const LONGEST_BATCH = 100;
/** Deeper messages are refused (`limits.nesting`). */
const DEEPEST = 200;
/** Characters of a longer id are not repeated. */
const LONGEST_ID = 512;

/** Reads a text as a receiver does. */
export function expectationOf(text: string): Expectation {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'refusal' };
  }
  if (!Array.isArray(value)) return expectationOfMessage(value);
  if (value.length === 0 || value.length > LONGEST_BATCH) return { kind: 'refusal' };
  return { kind: 'batch', members: value.map(expectationOfMessage), claims: value.some(isCallWithClaim) };
}

function expectationOfMessage(value: unknown): Expectation {
  if (!isObject(value)) return { kind: 'refusal' };
  const { id, method, result, error, params } = value;
  // Nobody answers answers, however broken.
  const isAnswer = result !== undefined || error !== undefined;
  if (method === undefined && isAnswer) return { kind: 'nothing' };
  const isCall = value['jsonrpc'] === '2.0' && typeof method === 'string' && !isAnswer;
  if (isCall && id === undefined) return { kind: 'nothing', ...cancellation(method, params) };
  if (typeof id === 'string' ? id.length > LONGEST_ID : !Number.isSafeInteger(id)) return { kind: 'refusal' };
  const named = typeof method === 'string' ? method : undefined;
  const request = {
    key: JSON.stringify(id),
    method: named,
    claims: claims(value),
    isOpenEnded: !isAnswer && isOpenEnded(named, params),
  };
  return { kind: 'answer', request };
}

function cancellation(method: string, params: unknown): { readonly cancels?: string } {
  const requestId = method === 'notifications/cancelled' && isObject(params) ? params['requestId'] : undefined;
  return typeof requestId === 'string' || typeof requestId === 'number' ? { cancels: JSON.stringify(requestId) } : {};
}

/** Whether a member of a batch names a revision itself. One that is no message is refused alone, whatever it names. */
function isCallWithClaim(value: unknown): boolean {
  if (!isObject(value) || !claims(value) || isTooDeep(value)) return false;
  if (expectationOfMessage(value).kind === 'refusal') return false;
  const { jsonrpc, method, result, error } = value;
  return (
    jsonrpc === '2.0' && typeof method === 'string' && method !== '' && result === undefined && error === undefined
  );
}

function isTooDeep(value: unknown, level = 1): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return level > DEEPEST || Object.values(value).some((member) => isTooDeep(member, level + 1));
}

function claims(value: unknown): boolean {
  const params = isObject(value) ? value['params'] : undefined;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return typeof meta === 'object' && meta !== null && Object.hasOwn(meta, VERSION_KEY);
}

/** The tools that run as long as they are told. */
const LONG_TOOLS: ReadonlySet<unknown> = new Set(['wait', 'flood', 'slow_compute']);

function isOpenEnded(method: string | undefined, params: unknown): boolean {
  if (method === 'subscriptions/listen') return true;
  return method === 'tools/call' && isObject(params) && LONG_TOOLS.has(params['name']);
}

function isObject(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
