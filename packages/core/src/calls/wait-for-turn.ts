/** A call waits for calls of others: that is no time of the tool, and its client receives progress, so that it does not give up. */
import { unawaited, type Deadline, type MaybePromise } from '@sigil-mcp/base';
import type { Method, ParamsOf, RequestId, RequestMeta } from '@sigil-mcp/protocol';
import type { Asking } from '../asking/asking';
import type { QuestionOutcome } from '../asking/question';
import type { ObservedQuestion } from '../context/observer';

/** A call, as the calls that run on its behalf see it. */
interface OuterCall {
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

/** Progress of a call that waits for its turn, and of one that has it: below all that a handler reports, because progress increases. */
const [WAITS, RUNS] = [-2, -1];

/** The call that waits. */
export type WaitingCall = Pick<OuterCall, 'tellProgress' | 'timeLimit' | 'request'>;

/**
 * Waits until it is its turn. Rejects as `turn` does.
 * @param name of the tool
 */
export async function waitForTurn(call: WaitingCall, turn: Promise<unknown>, name: string): Promise<void> {
  call.timeLimit?.pause();
  try {
    const { outer } = call.request;
    await (outer ? waitForTurn(outer, turn, name) : tellTurn(call, turn, name));
  } finally {
    call.timeLimit?.resume();
  }
}

/** Of several calls of one script, the first wait is reported. */
async function tellTurn(call: WaitingCall, turn: Promise<unknown>, name: string): Promise<void> {
  const tell = (progress: number, message: string): void =>
    unawaited((async () => call.tellProgress(progress, undefined, message))());
  tell(WAITS, `The tool ${name} waits for its turn.`);
  await turn;
  tell(RUNS, `The tool ${name} runs.`);
}
