/** Plays a conversation over HTTP, on raw connections of its own, and says what went wrong. */
import { isUtf8 } from 'node:buffer';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../../../support/transcript';
import { settled } from '../../../support/watched/settled';
import type { WatchedServer } from '../../../support/watched/watched-server';
import { HttpExchange } from '../judging/exchange';
import { expectationOf, type Expectation } from '../judging/expectation';
import { openingTexts, type Conversation, type Input } from '../traffic/conversation';
import { isSound } from '../traffic/mutations';
import { isQuestion, readRetryable, replyTo, retryOf } from '../traffic/replies';
import { NEWEST } from '../traffic/valid-messages';
import { requestBytes, HttpConnection } from './http-bytes';
import { bytesOf } from './duplex-talk';

const MOST_RETRIES = 4;
const ASSUMED = '2025-11-25';
const OLDEST = '2024-11-05';

/** Plays a conversation. @returns what is wrong */
export function playHttp(server: WatchedServer, conversation: Conversation, patience: number): Promise<string[]> {
  return new HttpTalk(server, conversation).play(patience);
}

class HttpTalk {
  readonly #exchanges: HttpExchange[] = [];
  readonly #connections: HttpConnection[] = [];
  readonly #kept = new Map<number, HttpConnection>();
  readonly #cancelled = new Set<string>();
  readonly #open: Message[] = [];
  readonly #beside = new Map<HttpConnection, readonly HttpExchange[]>();
  readonly #resumed = new Set<HttpExchange>();
  /** Whether the client has ended its session. */
  #isDeleted = false;
  #session: string | undefined;
  #replies = 0;
  #retries = 0;
  #isEnding = false;

  constructor(
    private readonly server: WatchedServer,
    private readonly conversation: Conversation,
  ) {}

  async play(patience: number): Promise<string[]> {
    await this.#openSession(patience);
    for (const input of this.conversation.inputs) {
      if (input.pause) await delay(input.pause);
      await this.#send(input);
    }
    const isSettled = await this.#settle(patience);
    const problems = this.#exchanges.flatMap((exchange) => exchange.verdict(this.#cancelled));
    const unread = this.#connections.flatMap(({ problem }) => problem ?? []);
    await this.#leave();
    const late = isSettled || problems.length > 0 ? [] : ['something was not complete in the end'];
    return [...problems, ...unread, ...late];
  }

  async #openSession(patience: number): Promise<void> {
    for (const text of openingTexts(this.conversation)) {
      const exchange = await this.#send({ text });
      await settled(() => exchange.isComplete || this.server.ended !== undefined, patience);
      this.#session ??= exchange.response?.headers.get('mcp-session-id');
    }
  }

  async #send(input: Input): Promise<HttpExchange> {
    const { revision } = this.conversation;
    const fault = input.http ?? {};
    const connection = this.#connectionFor(fault.connection ?? 0, fault.isPipelined ?? false);
    const isStrict = isSound(fault) && !connection.isPoisoned;
    const bytes = bytesOf(input);
    const expectation = expectationFor(fault.method, bytes);
    this.#noteCancellation(expectation);
    // What comes after it belongs to no session any more, whatever it names.
    this.#isDeleted ||= input.http?.method === 'DELETE';
    const exchange = new HttpExchange(
      {
        expectation,
        // What was pipelined behind something that lasts waits as long as that does.
        isStrict,
        isOpenEnded: isOpenEnded(expectation) || connection.isBusy || (fault.deaf ?? 0) > 1000,
        path: fault.path ?? '/mcp',
        // On other paths the HTTP+SSE transport answers in the words of its own revision.
        revisions: () => [
          ...this.#revisionsOf(expectation, isStrict),
          ...(fault.path === undefined || fault.path === '/mcp' ? [] : [OLDEST]),
        ],
      },
      (message) => this.#hear(message, input.text),
    );
    this.#exchanges.push(exchange);
    const beside = this.#beside.get(connection) ?? [];
    this.#beside.set(connection, [...beside, exchange]);
    if (!isSound(fault)) {
      connection.isPoisoned = true;
      for (const other of beside) other.isExcused ||= !other.isComplete;
    }
    await connection.send(requestBytes(input, { revision, session: this.#session }), exchange, fault);
    return exchange;
  }

  /** A refusal of what is no request names none, which the older schemas have no word for; else the session says it. */
  #revisionsOf(expectation: Expectation, isStrict: boolean): readonly string[] {
    const { revision } = this.conversation;
    const isOpen = this.#session !== undefined && !this.#isDeleted;
    const isCertain = isStrict && isOpen && expectation.kind !== 'nothing' && !claims(expectation);
    return isCertain ? [revision] : [revision, ASSUMED, NEWEST];
  }

  /** A connection that is free, unless the request is to be pipelined. */
  #connectionFor(number: number, isPipelined: boolean): HttpConnection {
    const kept = this.#kept.get(number);
    if (kept && !kept.isClosed && (isPipelined || (!kept.isBusy && !kept.isPoisoned))) return kept;
    const opened = new HttpConnection(this.server.url);
    this.#connections.push(opened);
    this.#kept.set(number, opened);
    return opened;
  }

  #noteCancellation(expectation: Expectation): void {
    const all = expectation.kind === 'batch' ? expectation.members : [expectation];
    for (const each of all)
      if (each.kind === 'nothing' && each.cancels !== undefined) this.#cancelled.add(each.cancels);
  }

  #hear(message: Message, sent: string): void {
    const { replies } = this.conversation;
    if (isQuestion(message)) {
      this.#open.push(message);
      const text = this.#isEnding ? undefined : replyTo(message, replies[this.#replies++ % replies.length] ?? []);
      if (text !== undefined) void this.#send({ text });
    } else if (!this.#isEnding && this.#retries < MOST_RETRIES && 'result' in message) this.#retry(message, sent);
  }

  #retry(message: Message, sent: string): void {
    const { replies } = this.conversation;
    const request = readRetryable(sent);
    const reply = replies[this.#replies++ % replies.length] ?? [];
    const text = request && retryOf(request, message, reply, `retry ${this.#retries++}`);
    if (text !== undefined) void this.#send({ text });
  }

  /** Answers what is still asked and takes up broken streams, until everything has come that has to. */
  #settle(patience: number): Promise<boolean> {
    this.#isEnding = true;
    const isDone = (): boolean => {
      for (const question of this.#open.splice(0)) void this.#send({ text: replyTo(question, []) ?? '' });
      const unfinished = this.#exchanges.filter(
        ({ isStrict, sent, isComplete }) => isStrict && !sent.isOpenEnded && !isComplete,
      );
      const broken = this.#exchanges.filter((exchange) => this.#isBroken(exchange));
      for (const exchange of broken) this.#resume(exchange);
      return this.server.ended !== undefined || (unfinished.length === 0 && broken.length === 0);
    };
    return settled(isDone, patience);
  }

  /** Whether a stream ended before its answer, and says where to go on. */
  #isBroken(exchange: HttpExchange): boolean {
    const { sent, isComplete, lastEventId } = exchange;
    const { expectation } = sent;
    if (this.#mayHaveMoved(exchange)) exchange.isExcused = true;
    if (
      !isComplete ||
      !exchange.isStrict ||
      exchange.problems.length > 0 ||
      lastEventId === undefined ||
      expectation.kind !== 'answer' ||
      this.#session === undefined
    )
      return false;
    return exchange.answers(expectation.request.key).length === 0 && !this.#cancelled.has(expectation.request.key);
  }

  /** Whether its answer may have come on the stream of a client that took it up elsewhere, or went with its session. */
  #mayHaveMoved({ isStrict, response }: HttpExchange): boolean {
    const movesStreams = ({ http }: Input): boolean =>
      http?.method === 'DELETE' || (http?.headers?.some(({ name }) => name === 'Last-Event-ID') ?? false);
    const isStream = response?.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    return isStrict && isStream && this.conversation.inputs.some(movesStreams);
  }

  #resume(exchange: HttpExchange): void {
    if (this.#resumed.has(exchange)) return;
    this.#resumed.add(exchange);
    const { revision } = this.conversation;
    const http = { method: 'GET', headers: [{ name: 'Last-Event-ID', value: exchange.lastEventId ?? '' }] };
    const bytes = requestBytes({ text: '', http }, { revision, session: this.#session });
    const connection = new HttpConnection(this.server.url);
    this.#connections.push(connection);
    const take = (response: Parameters<HttpExchange['take']>[0]): void => {
      const isRefused = response.status >= 400;
      if (isRefused && response.isComplete)
        exchange.problems.push(`a stream could not be taken up again: ${response.body}`);
      if (!isRefused) resumed.take(response);
      exchange.lastEventId = resumed.lastEventId ?? exchange.lastEventId;
      if (response.isComplete) this.#resumed.delete(exchange);
    };
    const resumed = new HttpExchange(exchange.sent, (message) => {
      exchange.said.push(message);
      this.#hear(message, '');
    });
    void connection.send(bytes, { take });
  }

  async #leave(): Promise<void> {
    const ended =
      this.#session === undefined
        ? undefined
        : await this.#send({ text: '', http: { method: 'DELETE', connection: 9 } });
    if (ended) await settled(() => ended.isComplete || this.server.ended !== undefined, 1000);
    for (const connection of this.#connections) connection.close();
  }
}

function isOpenEnded(expectation: Expectation): boolean {
  if (expectation.kind === 'batch') return expectation.members.some(isOpenEnded);
  return expectation.kind === 'answer' && expectation.request.isOpenEnded;
}

function claims(expectation: Expectation): boolean {
  return expectation.kind === 'batch'
    ? expectation.claims
    : expectation.kind === 'answer' && expectation.request.claims;
}

/** What the body of a request asks for. That of a GET is not read: its stream carries answers to earlier requests. */
function expectationFor(method: string | undefined, bytes: Buffer): Expectation {
  if (method === 'GET') return { kind: 'nothing' };
  return isUtf8(bytes) ? expectationOf(bytes.toString('utf8')) : { kind: 'refusal' };
}
