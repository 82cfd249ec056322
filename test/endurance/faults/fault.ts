/** One way in which things go wrong around a server, what is expected of it then, and what happened. */
import { ALONE_META, type Message } from '../../support/transcript';
import { settled } from '../../support/watched/settled';
import type { WatchedServer } from '../../support/watched/watched-server';

/** A fault. */
export interface Fault {
  readonly name: string;
  readonly expected: string;
  /** Whether it is over in a few seconds, so that every test run tries it. */
  readonly isQuick: boolean;
  /** Brings it about. */
  readonly run: (report: Report) => Promise<void>;
}

/** What happened, in words, and what was not as expected. */
export class Report {
  readonly facts: string[] = [];
  readonly problems: string[] = [];

  /** Notes something that happened. */
  say(fact: string): void {
    this.facts.push(fact);
  }

  /** Notes what happened, and that it should not have if it should not. */
  expect(isSo: boolean, fact: string): void {
    this.say(isSo ? fact : `**not:** ${fact}`);
    if (!isSo) this.problems.push(`not: ${fact}`);
  }
}

/** A call of a tool that stands alone. */
export function callOf(name: string, args: object = {}, meta: object = {}): Message {
  const params = { name, arguments: args, _meta: { ...ALONE_META, ...meta } };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
}

/** The headers of such a call. */
export function headersOf({ method, params }: Message): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': String(method),
    'mcp-name': String((params as { name?: string }).name),
  };
}

/** POSTs a message. */
export async function post(url: URL, message: Message, more: RequestInit & { headers?: Record<string, string> } = {}) {
  const headers = { ...headersOf(message), ...more.headers };
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(message), ...more, headers });
  return { status: response.status, text: await response.text() };
}

/** How long another client waits for its answer, milliseconds; undefined if it gets none. */
export async function answered(url: URL): Promise<number | undefined> {
  const began = performance.now();
  try {
    const signal = AbortSignal.timeout(30_000);
    const { status, text } = await post(url, callOf('echo', { word: 'still there' }), { signal });
    return status === 200 && text.includes('still there') ? performance.now() - began : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the process lives and answers others, with how long that took at worst. */
export async function expectService(report: Report, server: WatchedServer, whom = 'another client'): Promise<void> {
  const times: (number | undefined)[] = [];
  for (let count = 0; count < 3; count++) times.push(await answered(server.url));
  const worst = times.includes(undefined) ? undefined : Math.max(...times.map((time) => time ?? 0));
  report.expect(
    worst !== undefined,
    worst === undefined ? `${whom} is answered` : `${whom} is answered within ${rounded(worst)}`,
  );
  report.expect(
    server.ended === undefined,
    server.ended === undefined ? 'the process lives' : `the process lives (${server.ended})`,
  );
}

/** Whether the heap comes back to what it was, give or take some megabytes. */
export async function expectMemoryBack(report: Report, server: WatchedServer, before: number): Promise<void> {
  const limit = before + 48 * 1024 * 1024;
  let now = Infinity;
  for (let tries = 0; tries < 10 && now > limit && server.ended === undefined; tries++) {
    await settled(() => false, 500);
    now = (await server.collect()).heapUsed;
  }
  report.expect(now <= limit, 'memory comes back');
}

/** Milliseconds for people; coarse, so that a page does not change with each run. */
export function rounded(milliseconds: number): string {
  if (milliseconds < 100) return '0.1 s';
  return milliseconds < 1000 ? '1 s' : `${Math.ceil(milliseconds / 1000)} s`;
}
