/** The content of a request, after it was read. */
import type { Method, ParamsOf, RequestId, RequestMeta } from '@sigil-mcp/protocol';
import type { Deadline, MaybePromise } from '@sigil-mcp/base';
import type { Asking } from '../asking/asking';
import type { QuestionOutcome } from '../asking/question-outcome';
import type { ObservedQuestion } from '../context/observer';

/** A call, as the calls that run on its behalf see it. */
export interface OuterCall {
  readonly asking: Asking;
  readonly round: number;
  /** Whether nothing may be sent for it any more. */
  readonly isSilent: boolean;
  readonly timeLimit: Deadline | undefined;
  /** Of the request, the call on whose behalf this one runs. */
  readonly request: { readonly outer?: OuterCall };
  tellProgress(progress: number, total: number | undefined, message: string | undefined): MaybePromise<void>;
  /** Returns a function that ends the wait. */
  waitForClient(question: ObservedQuestion): (outcome: QuestionOutcome) => void;
}

/** What a call is made of. */
export interface ReadRequest<M extends Method = Method> {
  readonly id: RequestId;
  readonly method: M;
  /** Neutral parameters. */
  readonly params: ParamsOf<M>;
  readonly meta: RequestMeta;
  /** The call on whose behalf it runs: it asks for that call. Undefined for the call of a request. */
  readonly outer?: OuterCall;
  /** What its questions are told apart by from those of other calls that the outer call runs; they are those of the outer call if left out. */
  readonly scope?: string | undefined;
}
