/** What the process of a server reports of its requests: one line of JSON each. */
import { isObject } from '@sigil-mcp/base';

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

/** A line of the report: one of the two. */
export interface RequestReport {
  readonly times?: RequestTimes;
  readonly masked?: MaskedError;
}

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
