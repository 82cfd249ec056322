/** One request from its reading to its answer. It settles once: answered, or cancelled without an answer. */
import { isObject, isPromise, shorten, type MaybePromise } from '@sigil-mcp/base';
import {
  ProtocolError,
  writeError,
  writeResponse,
  writeResult,
  type InputRequiredResult,
  type Method,
  type RequestId,
  type ResultOf,
  type ResultWriter,
} from '@sigil-mcp/protocol';
import { callFields, type LoggedCall } from '../calls/call-fields';
import type { Exchange } from '../calls/conversation';
import { RunningCall } from '../calls/running-call';
import type { Cancellable } from '../calls/running-calls';
import { sigilError } from '../errors/catalogue';
import { MissingScopes, overload } from '../errors/denial';
import { ToolFailure } from '../errors/failures';
import { declares } from '../extensions/extension-call';
import { undeclared } from '../extensions/server-extensions';
import { WEIGHTS, type Account } from '../limits/account';
import type { ClientLoad, ServerLoad } from '../limits/client-load';
import type { CachedText } from '../output/results';
import { checkWithoutToken } from '../registry/entry';
import type { CompiledMethod, IncomingRequest, KernelCall, WrittenAnswer } from './compiled-method';
import type { WatchedRequest } from './observers';
import type { ServerContext } from './server-context';

/** Bytes of a light request; a heavier one is counted like any other. */
const LIGHT = 64 * 1024;

/** Answers one request. Its fields are not private names (`#`), because an instance is made for every request. */
export class PendingAnswer implements Cancellable {
  private call: KernelCall | undefined;
  private settled: boolean;
  private aborted: boolean;
  private answer: WrittenAnswer | undefined;
  /** Settles the promise that `run` returned, for an answer that is not ready yet. */
  private resolve: ((answer: WrittenAnswer | undefined) => void) | undefined;

  constructor(
    private readonly incoming: IncomingRequest,
    private readonly exchange: Exchange,
    private readonly context: ServerContext,
    private readonly watched: WatchedRequest | undefined,
  ) {
    this.call = undefined;
    this.settled = false;
    this.aborted = false;
    this.answer = undefined;
    this.resolve = undefined;
  }

  /** Returns the answer, synchronously if the handler is synchronous; undefined if the request was cancelled. */
  run(): MaybePromise<WrittenAnswer | undefined> {
    const { request, opening } = this.incoming;
    const { running } = opening.conversation;
    if (running.isOver) {
      this.watched?.ended({ kind: 'cancelled' });
      return undefined;
    }
    try {
      if (opening.refusal) throw opening.refusal;
      if (running.has(request.id)) {
        throw new ProtocolError(
          'invalid-request',
          `A request with the id ${shorten(JSON.stringify(request.id), 200)} is still running.`,
        );
      }
      this.#checkLoad();
      this.#dispatch();
    } catch (error) {
      this.#fail(error);
      this.call?.release();
    }
    // A request with an answer can no longer be cancelled, nor collide with another request of its id.
    if (this.settled) return this.answer;
    running.add(request.id, this);
    return new Promise((resolve) => (this.resolve = resolve));
  }

  /** Fires the signal of the call and sends no answer. The handshake itself cannot be cancelled. */
  cancel(reason: Error): void {
    if (this.settled || this.incoming.request.method === 'initialize') return;
    this.call?.abandon(reason);
    this.#finish(undefined);
  }

  /** Fires the signal of the call; it is answered if its handler returns a result anyway. */
  abort(reason: Error): void {
    if (this.settled) return;
    this.aborted = true;
    this.call?.abandon(reason);
  }

  /** Refuses a request beyond the limits of one client or of all. */
  #checkLoad(): void {
    const { load, limits, account } = this.context;
    const { method, opening } = this.incoming;
    const { load: ofClient } = opening.conversation.running;
    // Light requests are always answered, unless they are heavier than any of them needs to be.
    if (method?.isUnlimited && this.incoming.request.weight <= LIGHT) return;
    const { callsPerClient } = ofClient.shares ?? limits;
    if ((method?.isLasting ? ofClient.streams : ofClient.calls) >= callsPerClient)
      throw overload(
        'limits.callsPerClient',
        `The server answers ${callsPerClient} requests of a client at the same time (limits.callsPerClient). Wait for an answer first.`,
      );
    if (load.calls >= limits.calls && !method?.isLasting)
      throw overload(
        'limits.calls',
        `The server answers ${limits.calls} requests at the same time (limits.calls). Try again later.`,
      );
    account.check(ofClient, method?.isLasting ? 'streams' : 'calls', this.#weightOf(method));
  }

  /** Bytes of memory that the pending request costs. */
  #weightOf(method: CompiledMethod | undefined): number {
    const own = method?.isLasting ? WEIGHTS.stream : WEIGHTS.call;
    return this.incoming.request.weight + own + (this.watched?.weight ?? 0);
  }

  #dispatch(): void {
    const { request, method } = this.incoming;
    if (!method) throw new ProtocolError('method-not-found', `Method not found: ${request.method.slice(0, 200)}`);
    if (method.extension !== undefined) this.#checkDeclared(method.extension);
    const call = this.#openCall(method);
    method.locate(call);
    if (this.watched) this.watched.opened(call.face);
    if (method.needsEntry) checkRights(call);
    this.#readRetry(call);
    const result = method.step(call);
    if (!isPromise(result)) {
      this.#succeed(call, result);
      if (call.outliving) endWork(call, this.#beginWork(method));
      else call.release();
      return;
    }
    const leave = this.#beginWork(method);
    result.then(
      (value) => {
        this.#succeed(call, value);
        endWork(call, leave);
      },
      (error: unknown) => {
        this.#fail(error);
        endWork(call, leave);
      },
    );
  }

  #beginWork(method: CompiledMethod): () => void {
    const { load } = this.incoming.opening.conversation.running;
    return beginWork({ load, isLasting: method.isLasting, bytes: this.#weightOf(method) }, this.context);
  }

  /** Refuses a request of an extension that the client did not declare; malformed metadata is refused later. */
  #checkDeclared(extension: string): void {
    const { request, opening } = this.incoming;
    const { conversation, meta } = opening;
    if (meta && !declares(conversation.clientOf(meta), extension))
      throw undeclared(extension, request.method, conversation.revision);
  }

  #openCall({ method }: CompiledMethod): KernelCall {
    const { request, opening } = this.incoming;
    const { conversation } = opening;
    const { revision } = conversation;
    // A refusal of the metadata comes after that of a method which does not exist.
    if (!opening.meta)
      throw opening.malformed ?? sigilError('SIGIL_INTERNAL', { what: 'a request was opened without its metadata' });
    const params = opening.params ?? revision.readRequest(method, request.params);
    const read = { id: request.id, method, params, meta: opening.meta };
    const call: KernelCall = new RunningCall(read, conversation, this.exchange, this.context);
    if (this.watched) call.observation = this.watched;
    this.call = call;
    return call;
  }

  /** Reads the answers in a retried request, but only for callers that passed the checks before. */
  #readRetry(call: KernelCall): void {
    const { request } = this.incoming;
    const retry = call.revision.readRetry(call.method, request.params);
    if (retry) call.retry(retry);
  }

  #succeed(call: KernelCall, result: unknown): void {
    if (this.settled) return;
    let written: string | CachedText;
    try {
      // Throws if the handler should have ended after a question and went on; a result cannot come with questions.
      call.settleQuestions();
      // A method returns its own type of result; so must interceptors.
      written = this.context.results.write(call.revision, call, result as ResultOf<Method>);
    } catch (error) {
      this.#fail(error);
      return;
    }
    // Every method returns an object.
    if (this.watched) this.watched.ended({ kind: 'result', isError: isFailedResult(result), result: result as object });
    const { id } = call;
    if (typeof written === 'string') this.#finish({ text: writeResponse(id, written) });
    else this.#finish(keptAnswer(id, written));
  }

  #fail(error: unknown): void {
    const { method } = this.incoming.request;
    if (this.settled || this.aborted) {
      this.context.logger.debug(callFields(this.#about), `${method} was cancelled, and ended`);
      if (!this.settled) this.#finish(undefined);
      return;
    }
    let reason = error;
    try {
      const asks = this.call?.settleQuestions(error);
      if (asks) return this.#askFor(asks);
    } catch (swallowed) {
      reason = swallowed;
    }
    const answer = this.#failureAnswer(this.#explain(reason));
    if (this.watched) this.watched.failed(answer, reason);
    this.#finish(answer);
  }

  /** Every request gets an answer: if the data of an error cannot be written, the error is sent without it. */
  #failureAnswer(failure: ProtocolError): WrittenAnswer {
    try {
      return this.#writeFailure(failure);
    } catch (error) {
      const fields = { ...callFields(this.#about), err: error };
      this.context.logger.error(fields, 'The data of an error cannot be written as JSON: it is answered without them');
      return this.#writeFailure(new ProtocolError(failure.error, failure.message), failure);
    }
  }

  /** @param failure the failure for the transport, such as the HTTP status; `written` if left out */
  #writeFailure(written: ProtocolError, failure: ProtocolError = written): WrittenAnswer {
    const { id, method } = this.incoming.request;
    const { error, result } = this.#writer.writeFailure(written, method, this.call?.params);
    return error ? { text: writeError(id, error), failure, code: error.code } : { text: writeResult(id, result) };
  }

  #askFor(asks: InputRequiredResult): void {
    if (this.watched) this.watched.ended({ kind: 'question' });
    const { id } = this.incoming.request;
    this.#finish({ text: writeResult(id, this.#writer.writeInputRequired(asks)) });
  }

  get #writer(): ResultWriter {
    return this.incoming.opening.conversation.revision.writerFor(this.context.server);
  }

  #explain(error: unknown): ProtocolError {
    if (error instanceof ProtocolError) return error;
    // A method whose results have no `isError` sends a readable failure as an error.
    if (error instanceof ToolFailure) return new ProtocolError('internal-error', error.message);
    return new ProtocolError('internal-error', this.context.maskError(error, this.#about));
  }

  get #about(): LoggedCall {
    const { id, method } = this.incoming.request;
    return this.call ?? { id, method, exchange: this.exchange };
  }

  #finish(answer: WrittenAnswer | undefined): void {
    this.settled = true;
    // Every other end was reported before.
    if (this.watched) this.watched.ended({ kind: 'cancelled' });
    this.call?.end();
    if (!this.resolve) {
      this.answer = answer;
      return;
    }
    this.resolve(answer);
    this.incoming.opening.conversation.running.remove(this.incoming.request.id);
  }
}

/** Refuses callers without a token unless the entry is public. Missing scopes are refused after the guards, and not revealed before. */
export function checkRights(call: KernelCall): void {
  const { caller } = call.exchange;
  if (caller.kind === 'anonymous') checkWithoutToken(call.entry, caller);
  const scopes = call.entry?.policy.scopes ?? [];
  // The error is made only when it is needed: the time that it takes could reveal an entry that guards hide.
  if (scopes.length > 0 && !caller.hasScopes(...scopes)) call.findRefusal = () => new MissingScopes(scopes);
}

function isFailedResult(result: unknown): boolean {
  return isObject(result) && result['isError'] === true;
}

function keptAnswer(id: RequestId, kept: CachedText): WrittenAnswer {
  const bytes = (): Buffer => kept.bytesBetween(writeResponse(id, '').slice(0, -1), '}');
  return { text: writeResponse(id, kept.text), bytes };
}

// Counts pending requests, per client and for the server, from the moment that they become asynchronous until their handlers have ended.

/** What one request adds to what is counted. */
interface Work {
  /** Of its client. */
  readonly load: ClientLoad;
  /** Whether it is a stream of changes, which is no work. */
  readonly isLasting: boolean;
  /** Bytes of memory. */
  readonly bytes: number;
}

/** What all requests of a server are counted in. */
interface WorkServices {
  readonly load: ServerLoad;
  readonly account: Account;
}

/** Counts a request. Returns what gives its place back, to be called once. */
function beginWork({ load, isLasting, bytes }: Work, { load: ofServer, account }: WorkServices): () => void {
  const kind = isLasting ? 'streams' : 'calls';
  account.add(kind, bytes);
  if (isLasting) {
    load.streams += 1;
    load.hold(bytes);
  } else {
    ofServer.calls += 1;
    load.enter(bytes);
  }
  return () => {
    account.add(kind, -bytes);
    if (isLasting) {
      load.streams -= 1;
      load.hold(-bytes);
    } else {
      ofServer.calls -= 1;
      load.leave(bytes);
    }
  };
}

/** Gives the place of a call back, and lets go what was made for it, when nothing of it runs any more. */
function endWork(call: KernelCall, leave: () => void): void {
  const { outliving } = call;
  const letGo = (): void => {
    // Work that was detached may have left a handler that runs on after its time limit.
    if (call.outliving !== outliving) return endWork(call, leave);
    leave();
    call.release();
  };
  if (outliving) outliving.then(letGo, letGo);
  else letGo();
}
