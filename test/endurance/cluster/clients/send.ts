/** One HTTP request to the cluster, and what came back of it at first. */
import { LANE_HEADER } from '../proxy/round-robin-proxy';
import type { World } from '../world';

/** A response has begun, or none will come. */
export type Arrival =
  | { readonly kind: 'response'; readonly response: Response; readonly lane: number }
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'late' };

/** What is sent. */
export interface Sending {
  readonly path?: string;
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: object;
  readonly signal: AbortSignal;
}

const BOTH = 'application/json, text/event-stream';

/** Sends a request. `late`: the signal fired before anything came. */
export async function send(
  { origin }: World,
  { path = '/mcp', method = 'POST', ...sending }: Sending,
): Promise<Arrival> {
  const { headers, message, signal } = sending;
  const accept = method === 'GET' ? 'text/event-stream' : BOTH;
  const all = { accept, ...(message && { 'content-type': 'application/json' }), ...headers };
  try {
    const init = { method, headers: all, signal, ...(message && { body: JSON.stringify(message) }) };
    const response = await fetch(new URL(path, origin), init);
    // The proxy says so where no process has answered.
    if (response.status === 502) return { kind: 'broken', why: 'no process has answered' };
    return { kind: 'response', response, lane: Number(response.headers.get(LANE_HEADER) ?? -1) };
  } catch (error) {
    return signal.aborted ? { kind: 'late' } : { kind: 'broken', why: reasonOf(error) };
  }
}

/** Why a connection broke, in words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
