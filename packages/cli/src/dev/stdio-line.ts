/** The client on a pipe: its requests wait while the server is replaced, and its session continues with the next server. */
import { isObject, systemClock, type Clock, type Timer } from '@sigil-mcp/base';
import { writeNotification, type RequestId } from '@sigil-mcp/protocol';
import type { Readable, Writable } from 'node:stream';
import { commandError } from '../errors/errors';
import { mention } from '../terminal/mention';
import type { EndCall } from './call-lines';
import { readLines } from '../read-lines';
import { describeEnd, type ChildServer } from './child-server';
import { ENDING, type ClientLine, type LineOptions, type LineStart } from './holder';
import {
  cancelledId,
  isRequest,
  isResponse,
  readShapes,
  restartError,
  rewriteEach,
  takeOut,
  type MessageShape,
  type RequestShape,
} from './message-shape';
import { QuestionIds, QuestionRounds, type SendRound } from './questions';
import type { SecondLine } from './second-line';
import {
  acknowledgedId,
  ARE_YOU_THERE,
  changesFor,
  listChanges,
  RecordedSession,
  SENT_AGAIN,
  type OwnRequest,
} from './session-record';

/** Lines in the order in which they arrived. */
class WaitingLines {
  #lines: string[] = [];
  #onEmpty: (() => void)[] = [];

  add(line: string): void {
    this.#lines.push(line);
  }

  /** Takes all lines out. */
  takeAll(): readonly string[] {
    const lines = this.#lines.splice(0);
    this.#tellEmpty();
    return lines;
  }

  /** Resolves when no line waits, which may be now, or at the latest after this time. */
  async empty(milliseconds: number, clock: Clock): Promise<void> {
    let timer: Timer | undefined;
    await new Promise<void>((resolve) => {
      timer = clock.after(milliseconds, resolve);
      this.#onEmpty.push(resolve);
      this.#tellEmpty();
    });
    timer?.close();
  }

  /** Drops a request that the client cancels; the others of its batch stay. @returns whether it was waiting here */
  cancel(id: RequestId): boolean {
    let isFound = false;
    this.#lines = this.#lines.flatMap((line) => {
      const { taken, rest } = takeOut(line, (message) => isRequest(message) && message.id === id);
      isFound ||= taken.length > 0;
      return rest === undefined ? [] : [rest];
    });
    this.#tellEmpty();
    return isFound;
  }

  #tellEmpty(): void {
    if (this.#lines.length === 0) for (const tell of this.#onEmpty.splice(0)) tell();
  }
}

/** Milliseconds in which a version has to be ready for a client that has closed its end of the pipe. */
const LONGEST_START = 60_000;
/** Milliseconds for a server to answer. */
const PATIENCE = 30_000;
/** Milliseconds in addition: our own compiler may have blocked this process, so that an answer has arrived but was not read. */
const UNREAD = 500;
/** Milliseconds for a round of questions: a person may be debugging the handler. */
const LONGEST_ROUND = 600_000;

/** The two ends of the pipe. */
export interface StdioLineOptions extends LineOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** A second client on the same pipe to the server; none if left out. */
  readonly second?: SecondLine | undefined;
  /** Called when the client closed the pipe. */
  readonly onHangUp: () => void;
}

/** The client on stdin and stdout. */
export class StdioLine implements ClientLine {
  readonly gate: ClientLine['gate'] = { isHolding: true, refusal: undefined };
  isLeaving = false;
  readonly #session = new RecordedSession();
  readonly #questions: QuestionIds;
  readonly #rounds: QuestionRounds;
  /** Requests of sigil itself, which the server has not answered. */
  readonly #own = new Map<unknown, (answer: MessageShape) => void>();
  /** Requests that the server has received and not answered. */
  readonly #running = new Map<RequestId, RequestShape>();
  /** The lines of those requests, for the terminal. */
  readonly #ends = new Map<RequestId, EndCall>();
  /** Subscriptions that were made again, and whose acknowledgement the client has received already. */
  readonly #renewed = new Set<RequestId>();
  readonly #waiting = new WaitingLines();
  #child: ChildServer | undefined;
  #capabilities: unknown;

  constructor(private readonly options: StdioLineOptions) {
    const { questions: watcher, input, output, second, onHangUp } = options;
    this.#rounds = new QuestionRounds(watcher);
    this.#questions = new QuestionIds(
      watcher && {
        watcher,
        client: () => this.#session.client,
        reply: (text, outer) => {
          this.#noteInPlace('client', outer);
          this.#child?.send(text);
        },
        tell: (text) => this.#write(text),
      },
    );
    const takeLast = readLines(input.on('error', onHangUp), {
      onLine: (line) => this.#take(line),
      onEnd: () => {
        takeLast();
        this.#end().catch(mention);
      },
    });
    output.on('error', onHangUp);
    second?.attach((text) => this.#take(text));
  }

  get isBusy(): boolean {
    return this.#unfinished().length > 0;
  }

  starting(): Promise<LineStart> {
    return Promise.resolve({
      speaks: true,
      onLine: (line, child) => this.#hear(line, child),
      ready: (child) => this.#ask(child, ARE_YOU_THERE),
    });
  }

  goOn(): void {
    for (const text of this.#waiting.takeAll()) this.#pass(text);
  }

  refuseCalls(why: string): void {
    for (const id of this.#unfinished()) {
      this.#finish(id, { error: { message: why } });
      this.#write(restartError(id, why));
    }
  }

  leave(): void {
    for (const requestId of this.#questions.forget()) {
      const params = { requestId, reason: 'The server was restarted.' };
      this.#write(writeNotification({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
    }
  }

  use(child: ChildServer | undefined): void {
    this.#child = child;
  }

  /** Opens the session as the client did at the first server. */
  async openSessions(child: ChildServer): Promise<readonly string[]> {
    const { opening } = this.#session;
    const isOpening = [...this.#running.values()].some(({ method }) => method === 'initialize');
    if (opening === undefined || isOpening) return [];
    const ask = (request: OwnRequest) => this.#ask(child, request);
    const { result, error } = await ask(opening);
    if (!result) throw commandError('SIGIL_DEV_SESSION', { reason: String(error?.['message']) });
    const refusals = await this.#session.replay((text) => child.send(text), ask);
    const before = Object.keys(this.#capabilities ?? {});
    this.#capabilities ??= result['capabilities'];
    const offered = Object.keys(result['capabilities'] ?? {});
    const news = offered.filter((kind) => !before.includes(kind));
    if (before.length === 0 || news.length === 0) return refusals;
    return [...refusals, `The server now offers ${news.join(', ')}; clients learn this when they reconnect.`];
  }

  /** The last server has them still; the next one also has other lists, perhaps. */
  resend(isNew: boolean): void {
    if (!isNew) return;
    for (const [id, request] of this.#running) {
      this.#renewed.add(id);
      this.#child?.send(JSON.stringify(request));
    }
    for (const change of this.#session.isOpen ? listChanges(this.#capabilities) : []) this.#write(change);
  }

  close(): void {
    this.options.input.pause();
  }

  /** After the end of the input, which ends the server as well: it answers what it has received, as it would without us. */
  async #end(): Promise<void> {
    const { clock = systemClock, onHangUp } = this.options;
    await this.#waiting.empty(LONGEST_START, clock);
    this.isLeaving = true;
    await this.#child?.stop(ENDING);
    onHangUp();
  }

  /** Takes a line of the client. Answers and cancellations belong to running calls, so they do not wait. */
  #take(text: string): void {
    this.options.tap?.note({ from: 'client', text, session: this.#session });
    const { taken, rest } = takeOut(text, (message) => isResponse(message) || cancelledId(message) !== undefined);
    if (rest !== undefined) this.#pass(rest);
    for (const message of taken) this.#passAhead(message);
  }

  #pass(text: string): void {
    const { isHolding, refusal } = this.gate;
    if (refusal === undefined) return isHolding ? this.#waiting.add(text) : this.#forward(text);
    for (const message of readShapes(text)) if (isRequest(message)) this.#write(restartError(message.id, refusal));
  }

  #forward(given: string): void {
    const { rest: text } = takeOut(given, (message) => {
      const round = this.#rounds.take(message);
      round?.then((answer) => this.#write(answer)).catch(mention);
      return round !== undefined;
    });
    if (text === undefined) return;
    for (const message of readShapes(text)) {
      if (isRequest(message)) this.#begin(message);
      else this.#session.note(message);
    }
    this.#child?.send(text);
  }

  #begin(message: RequestShape): void {
    this.#running.set(message.id, message);
    const end = this.options.calls?.begin(message, this.#session.client);
    if (end) this.#ends.set(message.id, end);
  }

  /** Forgets a request, and writes its line. @param answer undefined for a cancelled request, which has none */
  #finish(id: RequestId, answer: MessageShape | undefined): void {
    this.#running.delete(id);
    if (answer) this.#ends.get(id)?.(answer);
    this.#ends.delete(id);
  }

  #passAhead(message: MessageShape): void {
    if (isResponse(message)) {
      const answer = this.#questions.restore(message);
      // The answer may be for a server that has ended.
      if (answer !== undefined) this.#child?.send(answer);
      return;
    }
    const id = cancelledId(message);
    // A request that is cancelled before the server receives it is not sent at all.
    if (id === undefined || this.#waiting.cancel(id)) return;
    this.#finish(id, undefined);
    this.#child?.send(JSON.stringify(message));
  }

  /** Takes a line of the server. */
  #hear(line: string, child: ChildServer): void {
    const heard = rewriteEach(line, (message, text) => {
      const own = message.method === undefined ? this.#own.get(message.id) : undefined;
      own?.(message);
      return own || child !== this.#child ? [] : this.#rewrite(message, text);
    });
    for (const text of heard) this.#write(text);
  }

  /** The messages for the client in place of a message of the server. */
  #rewrite(message: MessageShape, text: string): readonly string[] {
    if (message.method === undefined) this.#learn(message);
    const id = acknowledgedId(message);
    if (id !== undefined && this.#renewed.delete(id)) return changesFor(message, id);
    return [this.#questions.rename(message) ?? text];
  }

  #learn(answer: MessageShape): void {
    const { id, result } = answer;
    if (id === undefined || id === null) return;
    const running = this.#running.get(id);
    this.#finish(id, answer);
    this.#rounds.hear(running, answer, this.#sendRound);
    if (!running || !isObject(result)) return;
    this.#session.note(running);
    if (running.method === 'initialize') this.#capabilities = result['capabilities'];
  }

  /** The running requests to wait for; those that outlast a restart are sent again instead. */
  #unfinished(): RequestId[] {
    return [...this.#running].filter(([, { method }]) => !SENT_AGAIN.has(method)).map(([id]) => id);
  }

  /** Sends a request of sigil, and waits for the answer. Rejects if the server ends or takes too long. @param patience milliseconds */
  #ask(child: ChildServer, { id, text }: Omit<OwnRequest, 'about'>, patience = PATIENCE): Promise<MessageShape> {
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<MessageShape>((resolve, reject) => {
      this.#own.set(id, resolve);
      const late = commandError('SIGIL_DEV_SILENT', { seconds: patience / 1000 });
      timer = setTimeout(() => (timer = setTimeout(() => reject(late), UNREAD)), patience);
    });
    child.send(text);
    const ended = child.ended.then((end) => Promise.reject(commandError('SIGIL_DEV_ENDED', { how: describeEnd(end) })));
    return Promise.race([answered, ended]).finally(() => {
      clearTimeout(timer);
      this.#own.delete(id);
    });
  }

  /** Sends a round of questions instead of the client. */
  readonly #sendRound: SendRound = async (round) => {
    const [child, text] = [this.#child, JSON.stringify(round)];
    this.#noteInPlace('client', text);
    if (!child) throw commandError('SIGIL_DEV_CLOSED');
    const heard = JSON.stringify(await this.#ask(child, { id: String(round.id), text }, LONGEST_ROUND));
    this.#noteInPlace('server', heard);
    return heard;
  };

  #noteInPlace(from: 'client' | 'server', text: string): void {
    this.options.tap?.note({ from, text, session: this.#session, isInPlace: true });
  }

  #write(text: string): void {
    const { tap, second, output } = this.options;
    tap?.note({ from: 'server', text, session: this.#session });
    if (!second?.takes(text)) output.write(`${text}\n`);
  }
}
