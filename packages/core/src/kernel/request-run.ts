/** One request from its reading to its answer. It settles once: answered, or cancelled and silent. */
import {
  ProtocolError,
  writeError,
  writeResponse,
  writeResult,
  type InboundRequest,
  type InputRequiredResult,
  type Method,
  type RequestId,
  type RequestMeta,
  type ResultOf,
} from '@sigil-mcp/protocol';
import { CallContext } from '../calls/call-context';
import type { Origin } from '../calls/origin';
import { ToolFailure } from '../errors/tool-failure';
import { CallState } from '../calls/call-state';
import { isPromise, type MaybePromise } from '../values/maybe-promise';
import type { Answer } from './answer';
import type { CompiledMethod, KernelCall, KernelParts } from './kernel-parts';
import type { KeptText } from './kept-text';
import type { RunningCall } from '../calls/running-calls';

/** Runs one request. Its context and its fields are plain members: one of these is made for every request. */
export class RequestRun implements RunningCall {
  private context: CallContext | undefined;
  private settled: boolean;
  private answer: Answer | undefined;
  /** Set once the answer is waited for. */
  private resolve: ((answer: Answer | undefined) => void) | undefined;

  constructor(
    private readonly kernel: KernelParts,
    private readonly request: InboundRequest,
    private readonly origin: Origin,
  ) {
    this.context = undefined;
    this.settled = false;
    this.answer = undefined;
    this.resolve = undefined;
  }

  /** The answer, at once where the handler gives it at once; undefined once the request was cancelled. */
  run(): MaybePromise<Answer | undefined> {
    const { running } = this.origin.conversation;
    const { id } = this.request;
    try {
      if (running.has(id)) {
        throw new ProtocolError('invalid-request', `A request with the id ${JSON.stringify(id)} is still running.`);
      }
      this.#dispatch();
    } catch (error) {
      this.#fail(error);
    }
    // What is answered already can neither be cancelled nor meet another request of its id.
    if (this.settled) return this.answer;
    running.add(id, this);
    return new Promise((resolve) => (this.resolve = resolve));
  }

  /** The handshake itself cannot be cancelled. */
  cancel(reason: Error): void {
    if (this.settled || this.request.method === 'initialize') return;
    this.context?.abort(reason);
    this.#finish(undefined);
  }

  #dispatch(): void {
    const { revision } = this.origin.conversation;
    const compiled = this.kernel.findMethod(this.request.method, revision);
    if (!compiled)
      throw new ProtocolError('method-not-found', `Method not found: ${this.request.method.slice(0, 200)}`);
    const meta = revision.readMeta(this.request.params);
    const call = this.#openCall(compiled, meta);
    compiled.locate(call);
    const result = compiled.step(call);
    if (isPromise(result))
      result.then(
        (value) => this.#succeed(call, value),
        (error: unknown) => this.#fail(error, call),
      );
    else this.#succeed(call, result);
  }

  #openCall({ method }: CompiledMethod, meta: RequestMeta): KernelCall {
    const params = this.origin.conversation.revision.readRequest(method, this.request.params);
    this.context = new CallContext(method, params, meta, {
      origin: this.origin,
      logger: this.kernel.logger,
      requestId: this.request.id,
      asking: this.kernel.asking,
    });
    const retry = this.origin.conversation.revision.readRetry(method, this.request.params);
    if (retry) this.context.retry(retry);
    return new CallState(method, params, this.context);
  }

  #succeed(call: CallState, result: unknown): void {
    if (this.settled) return;
    const { revision } = this.origin.conversation;
    let written: string | KeptText;
    try {
      // Throws where the handler was to end and went on; a result does not come with questions.
      call.context.settleQuestions();
      // The step of a method gives this method's result; interceptors are bound by the same promise.
      written = this.kernel.results.write(revision, call.method, result as ResultOf<Method>);
    } catch (error) {
      this.#fail(error, call);
      return;
    }
    const { id } = this.request;
    if (typeof written === 'string') this.#finish({ text: writeResponse(id, written) });
    else this.#finish(keptAnswer(id, written));
  }

  #fail(error: unknown, call?: CallState): void {
    if (this.settled) return;
    const { id, method } = this.request;
    let reason = error;
    try {
      const asks = this.context?.settleQuestions(error);
      if (asks) return this.#askFor(asks);
    } catch (swallowed) {
      reason = swallowed;
    }
    const failure = this.#explain(reason, call);
    const written = this.origin.conversation.revision.writeFailure(failure, method, this.kernel.server);
    if (written.error) this.#finish({ text: writeError(id, written.error), failure, code: written.error.code });
    else this.#finish({ text: writeResult(id, written.result) });
  }

  #askFor(asks: InputRequiredResult): void {
    const { revision } = this.origin.conversation;
    this.#finish({ text: writeResult(this.request.id, revision.writeInputRequired(asks, this.kernel.server)) });
  }

  #explain(error: unknown, call: CallState | undefined): ProtocolError {
    if (error instanceof ProtocolError) return error;
    // Where results have no `isError`, a failure that was meant to be read travels as an error.
    if (error instanceof ToolFailure) return new ProtocolError('internal-error', error.message);
    // A request that failed before it became a call has a method that was found, or the error would name it.
    const about = call ?? { method: this.request.method as Method, entry: undefined };
    return new ProtocolError('internal-error', this.kernel.maskError(error, about));
  }

  #finish(answer: Answer | undefined): void {
    this.settled = true;
    this.context?.end();
    if (!this.resolve) {
      this.answer = answer;
      return;
    }
    this.resolve(answer);
    this.origin.conversation.running.remove(this.request.id);
  }
}

function keptAnswer(id: RequestId, kept: KeptText): Answer {
  const bytes = (): Buffer => kept.bytesBetween(writeResponse(id, '').slice(0, -1), '}');
  return { text: writeResponse(id, kept.text), bytes };
}
