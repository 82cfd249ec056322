/** The observers of a server: called with care, because none of them may harm a request. */
import type { ErrorObject, InboundNotification, Revision } from '@sigil-mcp/protocol';
import type { Clock, MaybePromise } from '@sigil-mcp/base';
import type { QuestionOutcome } from '../asking/question';
import type { Conversation, Exchange, LastingConversation } from '../calls/conversation';
import type { Observation } from '../calls/call-services';
import type { Call, Guard, Verdict } from '../context/call';
import type {
  ObservedQuestion,
  ObservedRefusal,
  ObservedServer,
  ObservedStream,
  ObservedStreamEnd,
  Observer,
  RequestObserver,
  RequestOutcome,
  Notes,
  StoreCommand,
  UnreadableMessage,
} from '../context/observer';
import { ObservableRequest, type InnerRequest } from './observable-request';
import { sigilError } from '../errors/catalogue';
import { limitOf } from '../errors/denial';
import { WEIGHTS } from '../limits/account';
import type { IncomingRequest, WrittenAnswer } from './compiled-method';

/** Characters of the longest note. */
const LONGEST_NOTE = 500;

/** Calls an observer, and reports the first of its errors. */
type Tell = <T>(observer: Observer, call: () => T) => T | undefined;

/** All observers of a server. */
export class Observers {
  readonly #failed = new Set<Observer>();
  /** Those that have started, and were not stopped. */
  readonly #started: (readonly [Observer, ObservedServer])[] = [];

  readonly #clock: Clock;
  /** Those that watch requests. */
  readonly #watchers: readonly Observer[];

  constructor(
    private readonly observers: readonly Observer[],
    private readonly server: Omit<ObservedServer, 'takesStdout'>,
  ) {
    this.#clock = server.clock;
    this.#watchers = observers.filter((observer) => observer.requestStarted !== undefined);
  }

  /** Whether one of them asks for the stages of calls. */
  get watchesStages(): boolean {
    return this.observers.some(({ watchesStages }) => watchesStages === true);
  }

  /** The server starts. Rejects if an observer cannot. */
  async open({ takesStdout = false }: { readonly takesStdout?: boolean }): Promise<void> {
    const server = { ...this.server, takesStdout };
    for (const observer of this.observers) {
      await observer.onStart?.(server);
      this.#started.push([observer, server]);
    }
  }

  /** What ends them; nothing for those that have not started. */
  stops(): (() => MaybePromise<void>)[] {
    return this.#started.splice(0).map(
      ([observer, server]) =>
        () =>
          observer.onStop?.(server),
    );
  }

  /**
   * A request begins.
   * @param findNotes what observers noted in the request before
   * @returns undefined if none of them watches it
   */
  start(incoming: IncomingRequest, exchange: Exchange, findNotes: () => Notes | undefined): WatchedRequest | undefined {
    if (this.#watchers.length === 0) return undefined;
    const started = new ObservableRequest(incoming, exchange, findNotes);
    const watching: Watching[] = [];
    for (const observer of this.#watchers) {
      const one = this.#tell(observer, () => observer.requestStarted?.(started));
      if (one) watching.push({ observer, one });
    }
    if (watching.length === 0) return undefined;
    return new WatchedRequest(started, watching, { tell: this.#tell, clock: this.#clock });
  }

  /** A notification was read. */
  noticed({ method, params }: InboundNotification, { revision }: Conversation): void {
    const notification = { method, params, revision: revision.version };
    for (const observer of this.observers) this.#tell(observer, () => observer.notificationReceived?.(notification));
  }

  /** A text could not be read. @param isRefused whether `refused` is called for it, too */
  unreadable({ code, message }: ErrorObject, limit?: string, isRefused = false): void {
    const fault: UnreadableMessage = { code, message, limit, isRefused };
    for (const observer of this.observers) this.#tell(observer, () => observer.messageUnreadable?.(fault));
  }

  /** A request was refused before it started. */
  refused(refusal: ObservedRefusal): void {
    for (const observer of this.observers) this.#tell(observer, () => observer.requestRefused?.(refusal));
  }

  /** A stream was opened. Returns what reports its end. */
  stream(stream: ObservedStream): (end: Omit<ObservedStreamEnd, 'duration'>) => void {
    const since = this.#clock.elapsed();
    const ends = this.observers.map((observer) => ({
      observer,
      end: this.#tell(observer, () => observer.streamOpened?.(stream)),
    }));
    return ({ reason, limit }) => {
      const ended = { reason, limit, duration: this.#clock.elapsed() - since };
      for (const { observer, end } of ends) this.#tell(observer, () => end?.(ended));
    };
  }

  /** A session begins. Returns what reports its end. */
  session({ client }: LastingConversation, { version: revision }: Revision): () => void {
    const since = this.#clock.elapsed();
    const ends = this.observers.map((observer) => ({
      observer,
      end: this.#tell(observer, () => observer.sessionStarted?.({ revision, client })),
    }));
    return () => {
      const duration = this.#clock.elapsed() - since;
      for (const { observer, end } of ends) this.#tell(observer, () => end?.(duration));
    };
  }

  /** A store has done a command. */
  stored(command: StoreCommand): void {
    for (const observer of this.observers) this.#tell(observer, () => observer.storeUsed?.(command));
  }

  readonly #tell: Tell = (observer, call) => {
    try {
      return call();
    } catch (err) {
      if (!this.#failed.has(observer))
        this.server.logger.error({ err }, 'An observer failed; its further errors are not reported');
      this.#failed.add(observer);
      return undefined;
    }
  };
}

/** An observer, and what watches a request for it. */
interface Watching {
  readonly observer: Observer;
  readonly one: RequestObserver;
}

/** One request, and those who watch it. What none of them asks for costs next to nothing. */
export class WatchedRequest implements Observation {
  /** Fields are not private names (`#`), because an instance is made for every request. */
  private readonly since: number;
  private isOver: boolean;

  constructor(
    private readonly started: ObservableRequest,
    private readonly watching: readonly Watching[],
    private readonly services: { readonly tell: Tell; readonly clock: Clock },
  ) {
    this.since = services.clock.elapsed();
    this.isOver = false;
  }

  /** Bytes of memory that its observers take. */
  get weight(): number {
    return this.watching.length * WEIGHTS.observed;
  }

  /** The request runs another. @returns what watches that; undefined if nobody does */
  inner(request: InnerRequest): WatchedRequest | undefined {
    const started = this.started.inner(request);
    const watching = this.watching.flatMap(({ observer, one }) => {
      const inner = this.services.tell(observer, () => one.inner?.(started));
      return inner ? [{ observer, one: inner }] : [];
    });
    return watching.length === 0 ? undefined : new WatchedRequest(started, watching, this.services);
  }

  /** Runs the request inside the observers that want that; the first is the outermost. */
  run<T>(next: () => T): T {
    let outermost = next;
    for (const watching of [...this.watching].reverse()) {
      const inner = outermost;
      if (watching.one.run) outermost = () => this.#runIn(watching, inner);
    }
    return outermost();
  }

  /** What it is about was found. */
  opened(call: Call): void {
    for (const { observer, one } of this.watching)
      if (one.opened) this.services.tell(observer, () => one.opened?.(call));
  }

  judged(guard: Guard, verdict: Verdict): void {
    for (const { observer, one } of this.watching)
      if (one.judged) this.services.tell(observer, () => one.judged?.(guard.constructor.name, verdict));
  }

  stage(name: string): () => void {
    const ends = this.watching.flatMap(({ observer, one }) => {
      const end = observer.watchesStages === true && this.services.tell(observer, () => one.stage?.(name));
      return end ? [{ observer, end }] : [];
    });
    return () => {
      for (const { observer, end } of ends) this.services.tell(observer, end);
    };
  }

  once(key: string, isKept: boolean): void {
    for (const { observer, one } of this.watching)
      if (one.once) this.services.tell(observer, () => one.once?.(key, isKept));
  }

  asked(question: ObservedQuestion): (outcome: QuestionOutcome) => void {
    const since = this.services.clock.elapsed();
    const ends = this.watching.map(({ observer, one }) => ({
      observer,
      end: this.services.tell(observer, () => reportQuestion(one, question)),
    }));
    return (outcome) => {
      const duration = this.services.clock.elapsed() - since;
      for (const { observer, end } of ends) this.services.tell(observer, () => end?.(duration, outcome));
    };
  }

  get notes(): Notes | undefined {
    const notes = this.watching.flatMap(({ observer, one }) => {
      const note = observer.name === undefined ? undefined : this.services.tell(observer, () => noteOf(one));
      return note === undefined ? [] : [[observer.name ?? '', note] as const];
    });
    return notes.length === 0 ? undefined : Object.fromEntries(notes);
  }

  /** The request has ended; a second call does nothing. */
  ended(outcome: RequestOutcome): void {
    if (this.isOver) return;
    this.isOver = true;
    const duration = this.services.clock.elapsed() - this.since;
    for (const { observer, one } of this.watching)
      if (one.ended) this.services.tell(observer, () => one.ended?.(outcome, duration));
  }

  /** The request has failed; some revisions answer invalid arguments with a result. */
  failed({ code, text }: WrittenAnswer, error: unknown): void {
    if (code === undefined) this.ended({ kind: 'result', isError: true, result: resultIn(text) });
    else this.ended({ kind: 'error', code, error, limit: limitOf(error) });
  }

  /** An observer that fails to run the request does not keep it from being run, once. */
  #runIn<T>({ observer, one }: Watching, inner: () => T): T {
    let done: { readonly value: T } | undefined;
    this.services.tell(observer, () => one.run?.(() => (done ??= { value: inner() }).value));
    return (done ?? { value: inner() }).value;
  }
}

/** Reports a question. What the observer adds counts if it is JSON: it must not keep the question from being sent. */
function reportQuestion(
  one: RequestObserver,
  question: ObservedQuestion,
): ReturnType<NonNullable<RequestObserver['asked']>> {
  const meta = question.meta && {};
  const end = one.asked?.({ ...question, meta });
  if (meta) Object.assign(question.meta ?? {}, JSON.parse(JSON.stringify(meta)));
  return end;
}

/** A note that the client can carry. */
function noteOf(one: RequestObserver): string | undefined {
  const note: unknown = one.note?.();
  if (note === undefined || (typeof note === 'string' && note.length <= LONGEST_NOTE)) return note;
  throw sigilError('SIGIL_OBSERVER_NOTE', { longest: LONGEST_NOTE });
}

/** The result in an answer that was just written. */
function resultIn(text: string): object {
  return (JSON.parse(text) as { readonly result: object }).result;
}
