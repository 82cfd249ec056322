/** The record of one request, as its parts become known. */
import {
  Denial,
  type Call,
  type ObservedQuestion,
  type ObservedRequest,
  type QuestionOutcome,
  type RequestObserver,
  type RequestOutcome,
  type Verdict,
} from '@sigil-mcp/core';
import type { AuditKeys } from '../chain/audit-keys';
import { plainText, type CallerTexts, type EntryTexts, type RecordTexts } from './record-text';
import type { AuditedGuard, RequestRecord } from './audit-record';

/** Methods of the protocol and of its extensions: a record has no name that a client made up. */
const KNOWN: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tools/call',
  'tools/list',
]);

/** Methods about one entry. */
const ABOUT_ENTRY: ReadonlySet<string> = new Set([
  'completion/complete',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'tools/call',
]);

/** Methods whose arguments are a parameter of their own. */
const WITH_ARGUMENTS: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

/** Parameters that say how a request is answered, and not what is wanted. */
const ASIDE: ReadonlySet<string> = new Set(['_meta', 'inputResponses', 'requestState']);

/** The name under which the id of the first record of a call is noted for its next request. */
export const OBSERVER_NAME = 'audit';

/** What records are made with. */
export interface RecordServices {
  readonly texts: RecordTexts;
  readonly callers: CallerTexts;
  readonly entries: EntryTexts;
  readonly keys: AuditKeys;
  /** Whether lists are recorded. */
  readonly lists: boolean;
  /** Takes the record when the request has ended. */
  readonly add: (body: string) => void;
}

/** Longer names are cut. */
const LONGEST = 500;
const MICROSECONDS = 1000;

/** Watches one request. */
export class RequestWatch implements RequestObserver {
  readonly #time: number;
  #id: string | undefined;
  #call: Call | undefined;
  #arguments: string | undefined;
  #isRefused = false;
  #guards = '';
  #questions = '';

  constructor(
    private readonly request: ObservedRequest,
    private readonly services: RecordServices,
    /** The id of the record of the request that runs the call; undefined for a request. */
    private readonly within?: string,
  ) {
    this.#time = services.texts.now;
  }

  opened(call: Call): void {
    this.#call = call;
    // Now, because a handler may change what it is given.
    if (this.#isRecorded) this.#arguments = this.#digest();
  }

  judged(guard: string, verdict: Verdict): void {
    const judgement = guardText(guard, verdict);
    if (verdict !== true) this.#isRefused = true;
    this.#guards += `${this.#guards === '' ? '' : ','}${judgement}`;
  }

  asked({ method }: ObservedQuestion): (duration: number, outcome: QuestionOutcome) => void {
    return (duration, outcome) => {
      const question = `{"kind":"${method}","outcome":"${outcome}","ms":${rounded(duration)}}`;
      this.#questions += `${this.#questions === '' ? '' : ','}${question}`;
    };
  }

  inner(request: ObservedRequest): RequestWatch {
    return new RequestWatch(request, this.services, this.note());
  }

  note(): string {
    return this.#first ?? (this.#id ??= this.services.texts.nextId());
  }

  ended(outcome: RequestOutcome, duration: number): void {
    if (outcome.kind !== 'error' && !this.#isRecorded) return;
    const { texts, add } = this.services;
    add(texts.begin('request', this.#members(outcome, duration), this.#time, this.#id ?? texts.nextId()));
  }

  /** Errors are recorded of every method. */
  get #isRecorded(): boolean {
    const { method } = this.request;
    return method !== 'ping' && (this.services.lists || !isListing(method));
  }

  get #first(): string | undefined {
    return this.request.notes[OBSERVER_NAME];
  }

  #digest(): string {
    const { method, params } = this.request;
    return this.services.keys.ofArguments(argumentsOf(method, params));
  }

  #members(outcome: RequestOutcome, duration: number): string {
    const { caller, client, address, session, revision } = this.request;
    const first = this.#first;
    const { callers } = this.services;
    let text = first === undefined ? '' : `,"first":${plainText(first, LONGEST)}`;
    if (this.within !== undefined) text += `,"within":${plainText(this.within, LONGEST)}`;
    text += `${callers.write(caller)}${callers.writeClient(client, address)}`;
    if (session !== undefined) text += `,"session":"${session}"`;
    text += `,"transport":"${transportOf(this.request)}","revision":"${revision}"${this.#about()}`;
    text += `,"arguments":"${this.#arguments ?? this.#digest()}"`;
    if (this.#guards !== '') text += `,"guards":[${this.#guards}]`;
    if (this.#questions !== '') text += `,"questions":[${this.#questions}]`;
    return `${text}${outcomeText(outcome, this.#isRefused)},"ms":${rounded(duration)}`;
  }

  /** The method, the entry, and the round. */
  #about(): string {
    const { method } = this.request;
    const { entry, alias, round = 1 } = this.#call ?? {};
    const name = isKnown(method) ? `"${method}"` : this.#call ? plainText(method, LONGEST) : 'null';
    const about = entry ? this.services.entries.write(entry, alias) : isAboutEntry(method) ? ',"entry":null' : '';
    return `,"method":${name}${about}${round > 1 ? `,"round":${round}` : ''}`;
  }
}

function guardText(name: string, verdict: Verdict): string {
  const word: AuditedGuard['verdict'] = typeof verdict !== 'boolean' ? 'denied' : verdict ? 'allowed' : 'refused';
  const reason = verdict instanceof Denial ? denialText(verdict) : '';
  return `{"name":${plainText(name, LONGEST)},"verdict":"${word}"${reason}}`;
}

function denialText({ error, status, limit }: Denial): string {
  return `,"reason":${JSON.stringify(error)},"status":${status}${limitText(limit)}`;
}

function transportOf({ isBackground, network }: ObservedRequest): RequestRecord['transport'] {
  if (isBackground) return 'background';
  if (!network) return 'memory';
  return network.protocol === 'http' ? 'http' : 'stdio';
}

function outcomeText(outcome: RequestOutcome, isRefused: boolean): string {
  switch (outcome.kind) {
    case 'result':
      return `,"outcome":"${outcome.isError ? 'tool_error' : 'result'}"`;
    case 'error': {
      const word: RequestRecord['outcome'] = isRefused || outcome.error instanceof Denial ? 'denied' : 'error';
      return `,"outcome":"${word}","code":${outcome.code}${limitText(outcome.limit)}`;
    }
    case 'cancelled':
    case 'question':
      return `,"outcome":"${outcome.kind}"`;
  }
}

/** The member `limit`. */
export function limitText(limit: string | undefined): string {
  return limit === undefined ? '' : `,"limit":${plainText(limit, LONGEST)}`;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * MICROSECONDS) / MICROSECONDS;
}

/** Whether the method is one that this package knows. */
function isKnown(method: string): boolean {
  return KNOWN.has(method);
}

/** Whether a method is about one entry. */
function isAboutEntry(method: string): boolean {
  return ABOUT_ENTRY.has(method);
}

/** Whether a method only tells what there is. */
function isListing(method: string): boolean {
  return method === 'server/discover' || method.endsWith('/list');
}

/** What a request wants: the arguments of a call, or all parameters of another method. */
function argumentsOf(method: string, params: Readonly<Record<string, unknown>> | undefined): unknown {
  if (WITH_ARGUMENTS.has(method)) return params?.['arguments'] ?? {};
  return Object.fromEntries(Object.entries(params ?? {}).filter(([name]) => !ASIDE.has(name)));
}
