/** What the process of a server reports of its requests: one line of JSON each. */
import { isObject } from '@sigil-mcp/base';
import type { InputShape } from '@sigil-mcp/schema';

/** The times inside of one request, after it has ended. */
export interface RequestTimes {
  /** The id, as the client wrote it. */
  readonly id: string | number;
  readonly method: string;
  /** The number of the request of HTTP; undefined on a pipe. */
  readonly exchange: number | undefined;
  /** Milliseconds until the entry was found; undefined for a request that is about none. */
  readonly opened: number | undefined;
  /** Milliseconds until the end. */
  readonly took: number;
  /** The guards, each with its verdict and the milliseconds since the start of the request. */
  readonly guards: readonly { readonly name: string; readonly verdict: string; readonly at: number }[];
  /** The stages of the call, each within the one before that has not ended. Their ends are undefined for what still ran at the end. */
  readonly stages: readonly { readonly name: string; readonly at: number; readonly to: number | undefined }[];
  /** The steps of `context.once`, and whether each ran in an earlier round of the call. */
  readonly steps: readonly { readonly key: string; readonly isKept: boolean; readonly at: number }[];
  /** The questions to the client, each with its method, its begin and the milliseconds until its answer. */
  readonly questions: readonly { readonly method: string; readonly at: number; readonly took: number | undefined }[];
}

/** An error whose message clients do not see. */
export interface MaskedError {
  /** What clients see of it. */
  readonly errorId: string;
  readonly method: string;
  /** The key of the tool, resource or prompt; undefined without one. */
  readonly entry: string | undefined;
  readonly name: string;
  readonly message: string;
  /** With the positions in the sources. */
  readonly stack: string;
}

/** What a caller may do with one entry, and what decided it. */
export interface JudgedEntry {
  readonly kind: string;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** The class and the method; undefined for an entry that is a function. */
  readonly feature: string | undefined;
  readonly member: string | undefined;
  /** The scopes that a caller needs. */
  readonly scopes: readonly string[];
  readonly isPublic: boolean;
  /** The names of all guards, in the order in which they are asked, and of those that look at calls as well. */
  readonly guards: readonly string[];
  readonly asksLater: readonly string[];
  /** Whether lists show it. */
  readonly isListed: boolean;
  /** How a call would begin: `allowed`, `hidden`, `denied`, `scopes`, `token` or `failed`. */
  readonly call: string;
  /** The guard that decided, and what it said. */
  readonly guard: string | undefined;
  readonly message: string | undefined;
  readonly missing: readonly string[];
}

/** The entries of a server as one caller may use them. */
export interface JudgedEntries {
  /** The value of `JUDGE` in the request that asked for it. */
  readonly id: string;
  readonly caller: {
    readonly id: string;
    readonly kind: string;
    readonly scopes: readonly string[];
    readonly roles: readonly string[];
  };
  readonly entries: readonly JudgedEntry[];
}

/** What is known of values, of which some are sensitive. */
export type ReportedShape = Pick<InputShape, 'schema' | 'sensitive'>;

/** A tool, a resource, a template or a prompt. */
export interface ReportedEntry {
  readonly kind: 'tool' | 'resource' | 'resource-template' | 'prompt';
  /** Its name, its URI, or its URI template. */
  readonly key: string;
  /** A digest of each member of its definition. */
  readonly members: Readonly<Record<string, string>>;
  /** Undefined if no argument is sensitive. */
  readonly input: ReportedShape | undefined;
  /** Undefined if nothing of the result is sensitive. */
  readonly output: ReportedShape | undefined;
}

/** A line of the report: one of the three. */
export interface RequestReport {
  readonly times?: RequestTimes;
  readonly masked?: MaskedError;
  readonly judged?: JudgedEntries;
  /** What the program offers now, all its servers together. */
  readonly entries?: readonly ReportedEntry[];
}

/** The member of `_meta` by which a request for a list asks what its caller may do with the entries. */
export const JUDGE = 'dev.sigil/judge';

/** The report in a line; an empty one for every other line. */
export function readReport(line: string): RequestReport {
  try {
    const read: unknown = JSON.parse(line);
    // Written by report-requests.ts, in the process that we started.
    return isObject(read) ? read : {};
  } catch {
    return {};
  }
}

/** The header with the number of a request of HTTP. */
export const EXCHANGE_HEADER = 'x-sigil-exchange';

/** The lines that tell a server whether a page shows the times of its requests. */
export const LOOKING = { yes: 'look', no: 'rest' } as const;

/** The line that asks a server for its entries. */
export const LIST = 'list';
