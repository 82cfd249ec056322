/** One client's end of a pipe: its pending requests, and all messages. */
import type { InboundBatch, InboundMessage, InboundRequest, JsonObject, RequestId } from '@sigil-mcp/protocol';
import { parseMessage } from '@sigil-mcp/protocol';
import { answerRequest, type AnswerQuestion, type Question } from './answers';
import type { OpenPipe, Pipe, PipeUser } from '../pipes/pipe';
import { RpcError } from '../rpc-error';
import { testingError } from '../errors';

/** One message that was sent or received. */
export interface Traffic {
  readonly from: 'client' | 'server';
  /** The text of the message. */
  readonly text: string;
}

/** A pending request. */
interface Waiting {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

/** The parts of a connection besides the pipe. */
export interface ConnectionOptions {
  readonly answers: AnswerQuestion | undefined;
  /** Receives each message as it is sent or received. */
  readonly onTraffic: ((entry: Traffic) => void) | undefined;
}

/** Numbers requests, settles them, and answers requests of the server. */
export class Connection {
  /** All messages, in order. */
  readonly traffic: Traffic[] = [];
  /** The questions of the server, in order. */
  readonly questions: Question[] = [];
  /** Answers questions, and records them; undefined if the test has no answers. */
  readonly answers: AnswerQuestion | undefined;
  readonly pipe: Pipe;
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #onTraffic: ((entry: Traffic) => void) | undefined;
  readonly #watchers = new Set<() => void>();
  #nextId = 1;
  #isClosed = false;
  #closed: Promise<void> | undefined;

  constructor(openPipe: OpenPipe, { answers, onTraffic }: ConnectionOptions) {
    this.#onTraffic = onTraffic;
    this.answers = answers && this.#recording(answers);
    this.pipe = openPipe(this.#user());
  }

  /** The id of the request that will be sent next. */
  get nextId(): number {
    return this.#nextId;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends a request unchanged. */
  ask(method: string, params: JsonObject | undefined): Promise<JsonObject> {
    if (this.#isClosed) return Promise.reject(testingError('SIGIL_TEST_CLOSED'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.post({ id, method, ...(params && { params }) });
    });
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

  /**
   * Calls a listener after each message of the server, and when the client is closed.
   * @returns a function that removes the listener
   */
  watch(look: () => void): () => void {
    this.#watchers.add(look);
    return () => void this.#watchers.delete(look);
  }

  /** Closes the connection; pending requests are rejected. Calling it again waits for the same end. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    const closed = this.pipe.close();
    this.fail(testingError('SIGIL_TEST_CLOSED'));
    this.#tellWatchers();
    await closed;
  }

  #user(): PipeUser {
    return {
      receive: (text) => this.#receive(text),
      waitsFor: (id) => this.#waiting.has(id),
      fail: (error, id) => this.fail(error, id),
    };
  }

  #send(text: string): Promise<void> | undefined {
    this.#note({ from: 'client', text });
    return this.pipe.send(text) ?? undefined;
  }

  #note(entry: Traffic): void {
    this.traffic.push(entry);
    this.#onTraffic?.(entry);
  }

  #recording(answers: AnswerQuestion): AnswerQuestion {
    return (question) => {
      this.questions.push(question);
      return answers(question);
    };
  }

  async #answer({ id, method, params = {} }: InboundRequest): Promise<void> {
    const response = await answerRequest({ method, params, key: undefined }, this.answers);
    this.post({ id, ...response });
  }

  #receive(text: string): void {
    this.#note({ from: 'server', text });
    const message = parseMessage(text);
    for (const one of isBatch(message) ? message.messages : [message]) this.#settle(one);
    this.#tellWatchers();
  }

  #settle(message: InboundMessage): void {
    if (message.kind === 'request') this.#answer(message).catch((error: Error) => this.fail(error));
    if (message.kind !== 'response') return;
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new RpcError(message.error));
    else waiting?.resolve(message.result ?? {});
  }

  #tellWatchers(): void {
    for (const look of [...this.#watchers]) look();
  }
}

function isBatch(message: InboundMessage | InboundBatch): message is InboundBatch {
  return message.kind === 'batch';
}
