/**
 * Loaded before a program that `sigil dev` runs with its page: reports masked errors and what its servers offer, and the times of requests
 * while the page is open.
 */
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { reportEntries, type ListedRegistry } from './report-entries';
import {
  EXCHANGE_HEADER,
  JUDGE,
  LIST,
  LOOKING,
  type JudgedEntries,
  type JudgedEntry,
  type RequestReport,
  type RequestTimes,
} from './request-report';

/** The channels of `@sigil-mcp/core`: it asks for observers, and announces errors that clients do not see. */
const OBSERVE = 'sigil:server:observe';
const MASKED = 'sigil:error:masked';
/** It announces requests for lists, and judges entries for their callers. */
const LISTED = 'sigil:list:judge';
/** The pipe to sigil. */
const PIPE = 3;
/** Bytes that may wait for sigil to read them; what comes then is dropped. */
const MOST_WAITING = 1024 * 1024;

/** The parts of an observed request that are needed here; it comes from the project's own copy of the framework. */
interface Started {
  readonly id: string | number;
  readonly method: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Masked {
  readonly errorId: string;
  readonly method: string;
  readonly entry: string | undefined;
  readonly error: unknown;
}

interface ListRequest {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly caller: JudgedEntries['caller'];
  readonly judge: () => Promise<readonly EntryVerdict[]>;
  readonly waits: Promise<unknown>[];
}

interface EntryVerdict extends Omit<JudgedEntry, 'kind' | 'key' | 'feature' | 'member' | 'scopes' | 'isPublic'> {
  readonly entry: {
    readonly kind: string;
    readonly key: string;
    readonly source: { readonly feature: { readonly name: string } | undefined; readonly member: string | undefined };
    readonly policy: { readonly scopes: readonly string[]; readonly isPublic: boolean };
  };
}

type Send = (report: RequestReport) => void;

watch(openPipe());

/** The pipe, which keeps no program running; undefined if this process has none. */
function openPipe(): Socket | undefined {
  try {
    const pipe = new Socket({ fd: PIPE, readable: true, writable: true });
    return pipe.unref().on('error', () => undefined);
  } catch {
    return undefined; // started by something else
  }
}

function watch(pipe: Socket | undefined): void {
  if (!pipe) return;
  const state = { isLooking: false };
  const registries: ListedRegistry[] = [];
  pipe.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.trim().split('\n')) {
      if (line === LIST) list();
      else state.isLooking = line === LOOKING.yes;
    }
  });
  const send: Send = (report) => {
    if (pipe.writable && pipe.writableLength < MOST_WAITING) pipe.write(`${JSON.stringify(report)}\n`);
  };
  // It is asked for, so it is sent however much waits.
  const list = (): void =>
    void (pipe.writable && pipe.write(`${JSON.stringify({ entries: registries.flatMap(reportEntries) })}\n`));
  const listSoon = onceInAWhile(list);
  subscribe(OBSERVE, (message) => {
    const { observers, registry } = message as { observers: unknown[]; registry?: ListedRegistry };
    // Without interest, a request is not observed.
    const requestStarted = (request: Started) => (state.isLooking ? timesOf(request, send) : undefined);
    const onStart = (): void => {
      if (!registry) return; // of an older version
      registries.push(registry);
      registry.onChange(listSoon);
      list();
    };
    observers.push({ watchesStages: true, requestStarted, onStart });
  });
  subscribe(MASKED, (message) => {
    const { error, ...about } = message as Masked;
    send({ masked: { ...about, ...wordsOf(error) } });
  });
  subscribe(LISTED, (message) => {
    const listed = message as ListRequest;
    const id = listed.meta[JUDGE];
    if (typeof id === 'string') listed.waits.push(judge(id, listed, send));
  });
}

/** Reports what the caller of a list may do with each entry. */
async function judge(id: string, listed: ListRequest, send: Send): Promise<void> {
  const { id: caller, kind, scopes, roles } = listed.caller;
  const entries = (await listed.judge()).map(({ entry, ...judged }) => ({
    kind: entry.kind,
    key: entry.key,
    feature: entry.source.feature?.name,
    member: entry.source.member,
    scopes: entry.policy.scopes,
    isPublic: entry.policy.isPublic,
    ...judged,
  }));
  send({ judged: { id, caller: { id: caller, kind, scopes, roles }, entries } });
}

/** Many changes are one change. */
function onceInAWhile(work: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      work();
    });
  };
}

/** An observer that measures one request. */
function timesOf({ id, method, headers }: Started, send: Send) {
  const number = Number(headers[EXCHANGE_HEADER]);
  const exchange = Number.isInteger(number) ? number : undefined;
  const since = performance.now();
  const guards: RequestTimes['guards'][number][] = [];
  const questions: { method: string; at: number; took: number | undefined }[] = [];
  const stages: { name: string; at: number; to: number | undefined }[] = [];
  const steps: RequestTimes['steps'][number][] = [];
  let opened: number | undefined;
  const at = (): number => performance.now() - since;
  return {
    opened: (): void => void (opened ??= at()),
    judged: (name: string, verdict: unknown): void => void guards.push({ name, verdict: verdictOf(verdict), at: at() }),
    stage: (name: string) => {
      const stage = { name, at: at(), to: undefined as number | undefined };
      stages.push(stage);
      return (): void => void (stage.to = at());
    },
    once: (key: string, isKept: boolean): void => void steps.push({ key, isKept, at: at() }),
    asked: (question: { readonly method: string }) => {
      const asked = { method: question.method, at: at(), took: undefined as number | undefined };
      questions.push(asked);
      return (took: number): void => void (asked.took = took);
    },
    ended: (_outcome: unknown, took: number): void =>
      send({ times: { id, method, exchange, opened, took, guards, stages, steps, questions } }),
  };
}

/** A guard allows, hides, or denies with a message. */
function verdictOf(verdict: unknown): string {
  if (verdict === true) return 'allows';
  return verdict instanceof Error ? `denies: ${verdict.message}` : 'hides';
}

/** Anything can be thrown. */
function wordsOf(error: unknown): { name: string; message: string; stack: string } {
  if (!(error instanceof Error)) return { name: 'thrown', message: String(error), stack: '' };
  return { name: error.name, message: error.message, stack: error.stack ?? '' };
}
