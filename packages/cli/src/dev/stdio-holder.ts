/** Holds the pipe to a client: its requests wait while the server is exchanged, and its session goes on with the next one. */
import { writeNotification, writeRequest, type RequestId } from '@sigil-mcp/protocol';
import type { Readable, Writable } from 'node:stream';
import { ChildServer, describeEnd, type ChildEnd, type ChildOptions } from './child-server';
import type { Holder, Successor } from './holder';
import { isMembers, isRequest, isResponse, readShapes, type MessageShape, type RequestShape } from './message-shape';
import { QuestionIds } from './question-ids';
import { restartError } from './restart-error';
import { ARE_YOU_THERE, OWN_ID, SessionRecord, listChanges } from './session-record';
import { LISTEN, acknowledgedId, changesFor } from './subscription-record';

/** What the pipe is made of. */
export interface StdioHolderOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly child: Omit<ChildOptions, 'program' | 'speaks'>;
  /** The server ended though nobody asked it to. */
  readonly onDeath: (end: ChildEnd) => void;
  /** The client hung up. */
  readonly onHangUp: () => void;
}

/** A request that the server has and has not answered. */
interface Running {
  readonly method: string;
  readonly text: string;
}

/** Milliseconds that a new server has to answer the opening of the session. */
const OPENING = 10_000;

/** One client on stdin and stdout. */
export class StdioHolder implements Holder {
  readonly #session = new SessionRecord();
  readonly #questions = new QuestionIds();
  readonly #running = new Map<RequestId, Running>();
  /** Subscriptions that were made again, and whose first word the client has heard already. */
  readonly #renewed = new Set<RequestId>();
  #waiting: string[] = [];
  #isHolding = true;
  #refusal: string | undefined;
  #child: ChildServer | undefined;
  #capabilities: unknown;
  #onOwnAnswer: ((message: MessageShape) => void) | undefined;
  #rest = '';

  constructor(private readonly options: StdioHolderOptions) {
    options.input
      .setEncoding('utf8')
      .on('data', (text: string) => this.#read(text))
      .on('end', options.onHangUp)
      .on('error', options.onHangUp);
    options.output.on('error', options.onHangUp);
  }

  hold(): void {
    this.#refusal = undefined;
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const text of this.#waiting.splice(0)) this.#forward(text);
  }

  async drain(patience: number, why: string): Promise<void> {
    const deadline = Date.now() + patience;
    while (this.#unfinished().length > 0 && Date.now() < deadline) await pause();
    for (const id of this.#unfinished()) {
      this.#running.delete(id);
      this.#write(restartError(id, why));
    }
  }

  async attach(program: string): Promise<Successor> {
    const child = new ChildServer({ ...this.options.child, program, speaks: true }, (line) => this.#hear(line, child));
    this.#child = child;
    const remark = await this.#renewSession(child);
    void child.ended.then((end) => this.#child === child && this.#died(end));
    for (const [id, { text }] of this.#running) {
      this.#renewed.add(id);
      child.send(text);
    }
    for (const change of this.#session.isOpen ? listChanges(this.#capabilities) : []) this.#write(change);
    return { remark };
  }

  async detach(patience: number): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    await child?.stop(patience);
    this.#withdrawQuestions();
  }

  refuse(why: string): void {
    this.#refusal = why;
    this.#isHolding = false;
    for (const text of this.#waiting.splice(0)) this.#turnDown(text);
  }

  async close(): Promise<void> {
    this.options.input.pause();
    await this.detach(0);
  }

  /** A new server is told what the client told the first one. */
  async #renewSession(child: ChildServer): Promise<string | undefined> {
    const { opening } = this.#session;
    const isOpening = [...this.#running.values()].some(({ method }) => method === 'initialize');
    const { result, error } = await this.#ask(child, isOpening ? ARE_YOU_THERE : (opening ?? ARE_YOU_THERE));
    if (opening === undefined || isOpening) return undefined;
    if (!result) throw new Error(`It refused the session: ${String(error?.['message'])}`);
    for (const text of this.#session.following) child.send(text);
    const before = Object.keys(this.#capabilities ?? {});
    this.#capabilities ??= result['capabilities'];
    const offered = Object.keys(result['capabilities'] ?? {});
    const news = offered.filter((kind) => !before.includes(kind));
    return before.length > 0 && news.length > 0
      ? `The server now offers ${news.join(', ')}; a client learns that when it connects again.`
      : undefined;
  }

  #ask(child: ChildServer, text: string): Promise<MessageShape> {
    const answered = new Promise<MessageShape>((resolve) => (this.#onOwnAnswer = resolve));
    child.send(text);
    const ended = child.ended.then((end) => Promise.reject(new Error(`It ended ${describeEnd(end)}.`)));
    const late = pause(OPENING).then(() => Promise.reject(new Error(`It did not answer within ${OPENING / 1000} s.`)));
    return Promise.race([answered, ended, late]);
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') this.#take(line);
  }

  /** A line of the client. */
  #take(text: string): void {
    const messages = readShapes(text);
    for (const message of messages) this.#cancelWaiting(message);
    if (this.#refusal !== undefined) this.#turnDown(text);
    else if (this.#isHolding) this.#waiting.push(text);
    else this.#forward(text);
  }

  #forward(text: string): void {
    const messages = readShapes(text);
    const [message] = messages;
    for (const one of messages) {
      this.#session.note(one);
      if (isRequest(one)) this.#running.set(one.id, { method: one.method, text });
    }
    if (messages.length === 1 && message && isResponse(message)) this.#forwardAnswer(message);
    else this.#child?.send(text);
  }

  /** An answer to a server that is gone has nobody to go to. */
  #forwardAnswer(message: MessageShape): void {
    const id = this.#questions.take(message.id as RequestId); // a response has one
    if (id !== undefined) this.#child?.send(JSON.stringify({ ...message, id }));
  }

  /** What the client gives up before the server has it is not sent at all. */
  #cancelWaiting({ method, params }: MessageShape): void {
    if (method !== 'notifications/cancelled') return;
    const id = params?.['requestId'];
    this.#waiting = this.#waiting.filter((text) => !readShapes(text).some((message) => message.id === id));
    this.#running.delete(id as RequestId); // nothing else is a key there
  }

  #turnDown(text: string): void {
    for (const message of readShapes(text)) {
      if (isRequest(message)) this.#write(restartError(message.id, this.#refusal ?? ''));
    }
  }

  /** A line of the server. */
  #hear(text: string, child: ChildServer): void {
    const messages = readShapes(text);
    const [message] = messages;
    if (messages.length !== 1 || !message) return this.#write(text);
    if (typeof message.id === 'string' && message.id.startsWith(OWN_ID)) return this.#onOwnAnswer?.(message);
    if (child !== this.#child) return undefined;
    if (isRequest(message)) return this.#write(this.#renameQuestion(message));
    if (message.method !== undefined) return this.#hearNotification(message, text);
    this.#finish(message);
    return this.#write(text);
  }

  #renameQuestion({ id, method, params }: RequestShape): string {
    // What the server sent as JSON is sent on.
    return writeRequest({
      jsonrpc: '2.0',
      id: this.#questions.send(id),
      method,
      ...(params && { params: params as never }),
    });
  }

  #hearNotification(message: MessageShape, text: string): void {
    const { method, params } = message;
    const outer = method === 'notifications/cancelled' ? this.#questions.withdraw(params?.['requestId']) : undefined;
    if (outer !== undefined) return this.#write(withdrawal(outer));
    const id = acknowledgedId(message);
    if (id === undefined || !this.#renewed.delete(id)) return this.#write(text);
    for (const change of changesFor(message, id)) this.#write(change);
  }

  #finish({ id, result }: MessageShape): void {
    if (id === undefined || id === null) return;
    const running = this.#running.get(id);
    this.#running.delete(id);
    if (running?.method === 'initialize' && isMembers(result)) this.#capabilities = result['capabilities'];
  }

  #died(end: ChildEnd): void {
    this.#child = undefined;
    this.#withdrawQuestions();
    this.options.onDeath(end);
  }

  #withdrawQuestions(): void {
    for (const id of this.#questions.forget()) this.#write(withdrawal(String(id)));
  }

  /** Subscriptions, and the opening itself, are not finished but made again. */
  #unfinished(): RequestId[] {
    return [...this.#running].filter(([, { method }]) => !AGAIN.has(method)).map(([id]) => id);
  }

  #write(text: string): void {
    this.options.output.write(`${text}\n`);
  }
}

/** Requests that a new server can be given in the place of the old one. */
const AGAIN = new Set([LISTEN, 'initialize']);

function withdrawal(requestId: string): string {
  const params = { requestId, reason: 'The server was restarted.' };
  return writeNotification({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}

function pause(milliseconds = 10): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
