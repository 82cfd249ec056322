/** What calls work with, the same for all of a server. */
import type { Clock, MaybePromise } from '@sigil-mcp/base';
import type { Method, ParamsOf, ResultOf } from '@sigil-mcp/protocol';
import type { QuestionOutcome } from '../asking/question';
import type { AskingPolicy } from '../asking/questions';
import type { CallScope } from '../container/container';
import type { Guard, Verdict } from '../context/call';
import type { EntryFacts } from '../context/entry-facts';
import type { McpContext } from '../context/mcp-context';
import type { Notes, ObservedQuestion } from '../context/observer';
import type { Account } from '../limits/account';
import type { ResolvedLimits } from '../limits/server-limits';
import type { Logger } from '../logging/logger';
import type { RateStore } from '../stores/stores';
import type { DetachedCalls } from './detached-call';

/** How a call runs a method of the protocol. */
export interface InnerCallOptions {
  /**
   * Keeps the questions, and what `once` and `onceId` name, apart from those of other calls that the same call runs: the same name each time
   * the call runs again. They are those of the call itself if left out.
   */
  readonly scope?: string;
}

/** What a call runs. */
export interface InnerMethod<M extends Method> {
  readonly method: M;
  readonly params: ParamsOf<M>;
  readonly options: InnerCallOptions | undefined;
}

/** Runs a method of the protocol on behalf of another call, a `RunningCall`. */
type RunMethod = <M extends Method>(outer: object, inner: InnerMethod<M>) => Promise<ResultOf<M>>;

/** What a server gives to each of its calls. */
export interface CallServices {
  readonly logger: Logger;
  readonly asking: AskingPolicy;
  readonly limits: ResolvedLimits;
  readonly account: Account;
  readonly rates: RateStore;
  readonly clock: Clock;
  /** What authors hold in place of sessions. */
  readonly sessions: SessionHandles;
  /** Work that outlives its request. */
  readonly detached: DetachedCalls;
  readonly runMethod: RunMethod;
  /** Checks the rights of a `RunningCall` to an entry that it turns out to be about. Throws the refusal. */
  readonly checkAccess: (call: object, entry: EntryFacts) => MaybePromise<void>;
  /** Opens the scope of one call; after the call has ended, the scope makes no instances. */
  readonly openScope: (context: McpContext, isOver: boolean) => CallScope;
}

// What authors hold in place of a session: an object that is the same for all calls of it, and has nothing but its id.

/** The handles of one server. */
export class SessionHandles {
  readonly #handles = new WeakMap<object, object>();

  /** The handle of a session or connection; undefined for a call that belongs to none. */
  of(session: object | undefined): object | undefined {
    if (session === undefined) return undefined;
    const known = this.#handles.get(session);
    if (known) return known;
    const handle = Object.freeze('id' in session ? { id: session.id } : {});
    this.#handles.set(session, handle);
    return handle;
  }
}

// What watches one call, as the parts of a call see it; a call that nobody watches has none.

/** Never throws. */
export interface Observation {
  judged(guard: Guard, verdict: Verdict): void;
  /** A stage of the call begins. @returns called when it has ended */
  stage(name: string): () => void;
  /** A step of `context.once` has ended. @param isKept whether it ran in an earlier round */
  once(key: string, isKept: boolean): void;
  /** @returns called when the question has ended */
  asked(question: ObservedQuestion): (outcome: QuestionOutcome) => void;
  /** What observers note for the next request of the call; undefined for nothing. */
  readonly notes: Notes | undefined;
}
