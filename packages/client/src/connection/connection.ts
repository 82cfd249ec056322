/** One client's end of a pipe: it numbers requests, settles them, and answers requests of the server. */
import type {
  InboundBatch,
  InboundMessage,
  InboundNotification,
  InboundRequest,
  JsonObject,
  RequestId,
} from '@sigil-mcp/protocol';
import { ERROR_CODES, parseMessage } from '@sigil-mcp/protocol';
import { clientError } from '../errors';
import type { OpenPipe, Pipe, PipeUser } from '../pipes/pipe';
import type { ResponseStatus } from '../response-status';
import { objectOf, readJson } from '../json';
import { errorOf, RpcError } from '../rpc-error';
import { answerRequest, type AnswerQuestion } from './questions';

/** One message that was sent or received. */
export interface Traffic {
  readonly from: 'client' | 'server';
  /** The text of the message. */
  readonly text: string;
}

/** A request that was sent. */
export interface SentRequest {
  readonly id: RequestId;
  /** The result; rejected with an `RpcError` if the answer is an error. */
  readonly result: Promise<JsonObject>;
}

/** What a connection calls. All but `answer` are optional. */
export interface ConnectionOptions {
  /** Answers questions of the server; they are refused if it is undefined. */
  readonly answer: AnswerQuestion | undefined;
  /** Receives each message as it is sent or received; nobody does if left out. */
  readonly onTraffic?: ((entry: Traffic) => void) | undefined;
  /** Receives the notifications of the server; nobody does if left out. */
  readonly onNotification?: ((notification: InboundNotification) => void) | undefined;
  /** Receives what went wrong outside of a request, such as a message that cannot be read; nobody does if left out. */
  readonly onFault?: ((error: Error) => void) | undefined;
  /** Called once, when no more messages will come: with the reason, or without one after `close`. Nobody is notified if left out. */
  readonly onEnd?: ((reason: Error | undefined) => void) | undefined;
}

/** A pending request. */
interface PendingRequest {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** Questions that a server may have open at once: more than any person answers. */
const MOST_QUESTIONS = 100;

/** A client's end of a pipe. */
export class Connection {
  readonly pipe: Pipe;
  readonly #options: ConnectionOptions;
  readonly #waiting = new Map<RequestId, PendingRequest>();
  /** The questions of the server that are being answered. */
  readonly #answering = new Map<RequestId, AbortController>();
  readonly #overListeners = new Set<(error: Error) => void>();
  #nextId = 1;
  /** Why no more messages can be sent; undefined while they can. */
  #over: Error | undefined;
  #closed: Promise<void> | undefined;
  #lastFault: Error | undefined;

  constructor(openPipe: OpenPipe, options: ConnectionOptions) {
    this.#options = options;
    this.pipe = openPipe(this.#user());
  }

  /** Why no more messages can be sent; undefined while they can. */
  get over(): Error | undefined {
    return this.#over;
  }

  /** What the server sent last that belongs to no request; undefined if nothing. */
  get lastFault(): Error | undefined {
    return this.#lastFault;
  }

  /** Calls back when no more messages can be sent, with the reason. Returns a function that removes the callback. */
  onOver(listener: (error: Error) => void): () => void {
    this.#overListeners.add(listener);
    return () => void this.#overListeners.delete(listener);
  }

  /** Whether a question of the server is being answered. */
  get isAnswering(): boolean {
    return this.#answering.size > 0;
  }

  /** Whether a request is still pending. */
  waitsFor(id: RequestId): boolean {
    return this.#waiting.has(id);
  }

  /** Sends a request unchanged. */
  ask(method: string, params: JsonObject | undefined): SentRequest {
    const id = this.#nextId++;
    const result = new Promise<JsonObject>((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      this.#waiting.set(id, { resolve, reject });
      this.post({ id, method, ...(params && { params }) });
    });
    return { id, result };
  }

  /** Sends a message; a failure to send it fails the pending requests. */
  post(message: JsonObject): void {
    this.postText(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** As `post`, for any text. */
  postText(text: string): void {
    this.#send(text)?.catch((error: Error) => this.fail(error));
  }

  /** Sends a message, and waits until it was sent. */
  async deliver(message: JsonObject): Promise<void> {
    await this.#send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Rejects one pending request, or all. */
  fail(error: Error, id?: RequestId): void {
    for (const [waitingId, { reject }] of this.#waiting) {
      if (id !== undefined && id !== waitingId) continue;
      this.#waiting.delete(waitingId);
      reject(error);
    }
  }

  /** Closes the connection; pending requests are rejected. Calling it again waits for the same end. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#end(clientError('SIGIL_CLIENT_CLOSED'), undefined);
    await this.pipe.close();
  }

  /** @param reason what `onEnd` receives */
  #end(error: Error, reason: Error | undefined): void {
    if (this.#over) return;
    this.#over = error;
    for (const answering of this.#answering.values()) answering.abort(error);
    this.fail(error);
    for (const listener of this.#overListeners) listener(error);
    try {
      this.#options.onEnd?.(reason);
    } catch (error) {
      // What a listener throws must not keep the connection open.
      this.#report(error as Error);
    }
  }

  #user(): PipeUser {
    return {
      receive: (text, response) => this.#receive(text, response),
      waitsFor: (id) => this.waitsFor(id),
      fail: (error, id) => this.fail(error, id),
      fault: (error) => this.#fault(error),
      end: (error) => this.#end(error, error),
    };
  }

  /** What this listener throws has no other listener. */
  #report(error: Error): void {
    try {
      this.#options.onFault?.(error);
    } catch {
      // A message is worth more than the report about another one.
    }
  }

  #fault(error: Error): void {
    this.#lastFault = error;
    this.#report(error);
  }

  #send(text: string): Promise<void> | undefined {
    this.#options.onTraffic?.({ from: 'client', text });
    return this.pipe.send(text) ?? undefined;
  }

  #receive(text: string, response: ResponseStatus | undefined): void {
    this.#options.onTraffic?.({ from: 'server', text });
    const message = parseMessage(text);
    for (const one of isBatch(message) ? message.messages : [message]) this.#settle(one, text, response);
  }

  #settle(message: InboundMessage, text: string, response: ResponseStatus | undefined): void {
    if (message.kind === 'request') this.#answer(message);
    else if (message.kind === 'notification') this.#notice(message);
    else if (message.kind === 'invalid') this.#refuse(message.id, message.error.message, text);
    else {
      const waiting = this.#waiting.get(message.id);
      if (!waiting) return this.#overlook(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting.reject(new RpcError(message.error, response));
      else waiting.resolve(message.result ?? {});
    }
  }

  /** An answer to nothing changes nothing. One that comes late, or twice, is not worth a report. */
  #overlook(id: RequestId): void {
    const isOurs = typeof id === 'number' && id > 0 && id < this.#nextId;
    if (!isOurs) this.#fault(clientError('SIGIL_CLIENT_STRAY_ANSWER', { id: JSON.stringify(id) }));
  }

  /** A message that is not valid fails the request that it seems to answer, if it names one. An error without an id is about any of ours. */
  #refuse(id: RequestId | undefined, reason: string, text: string): void {
    const told = errorOf(objectOf(readJson(text)));
    if (id === undefined && told) return this.#fault(new RpcError(told));
    const error = clientError('SIGIL_CLIENT_BAD_MESSAGE', { reason, text: JSON.stringify(text.slice(0, 200)) });
    if (id === undefined) this.#fault(error);
    else this.fail(error, id);
  }

  #notice(notification: InboundNotification): void {
    const cancelled = notification.params?.['requestId'];
    if (notification.method === 'notifications/cancelled')
      // An id that is no id is not in the map.
      this.#answering.get(cancelled as RequestId)?.abort(clientError('SIGIL_CLIENT_QUESTION_CANCELLED'));
    this.#options.onNotification?.(notification);
  }

  #answer(request: InboundRequest): void {
    const { id } = request;
    if (this.#answering.has(id)) {
      const message = 'A question with this id is being answered.';
      return this.post({ id, error: { code: ERROR_CODES['invalid-request'], message } });
    }
    if (this.#answering.size >= MOST_QUESTIONS) {
      const message = `This client answers ${MOST_QUESTIONS} questions at once.`;
      return this.post({ id, error: { code: ERROR_CODES['internal-error'], message } });
    }
    const answering = new AbortController();
    this.#answering.set(id, answering);
    this.#response(request, answering.signal)
      .then((response) => !answering.signal.aborted && this.post({ id, ...response }))
      .catch((error: Error) => this.#report(error))
      .finally(() => this.#answering.delete(id));
  }

  async #response({ method, params = {} }: InboundRequest, signal: AbortSignal): Promise<JsonObject> {
    try {
      return await answerRequest({ method, params, key: undefined, signal }, this.#options.answer);
    } catch (error) {
      // The reason is for the application, not for the server.
      this.#report(error as Error);
      return { error: { code: ERROR_CODES['internal-error'], message: 'This client could not answer.' } };
    }
  }
}

function isBatch(message: InboundMessage | InboundBatch): message is InboundBatch {
  return message.kind === 'batch';
}
