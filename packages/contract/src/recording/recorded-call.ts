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
