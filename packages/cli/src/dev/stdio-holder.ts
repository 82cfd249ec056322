/** Holds the pipe to a client: its requests wait while the server is replaced, and its session continues with the next server. */
import { isObject } from '@sigil-mcp/base';
import { systemClock } from '@sigil-mcp/core/adapter';
import { writeNotification, type RequestId } from '@sigil-mcp/protocol';
import { setTimeout as pause } from 'node:timers/promises';
import { mention } from '../terminal/mention';
import type { EndCall } from './call-lines';
import { Children, failedStart } from './children';
import { describeEnd, type ChildServer, type ChildEnd, readLines } from './child-server';
import { ENDING, type Handover, type Holder } from './holder';
import {
  cancelledId,
  isRequest,
  isResponse,
  readShapes,
  rewriteEach,
  takeOut,
  type MessageShape,
  type RequestShape,
} from './message-shape';
import { restartError } from './restart-error';
import { ARE_YOU_THERE, RecordedSession, listChanges, type OwnRequest } from './session-record';
import { LISTEN, acknowledgedId, changesFor } from './rewrite-events';
import type { StdioHolderOptions } from './stdio-holder-options';
import { StdioInPlace, OwnRequests } from './stdio-in-place';
import { WaitingLines } from './waiting-lines';
import { commandError } from '../errors/errors';

/** Milliseconds in which a version has to be ready for a client that has closed its end of the pipe. */
const LONGEST_START = 60_000;

/** The client on stdin and stdout. */
export class StdioHolder implements Holder {
  readonly #session = new RecordedSession();
  readonly #inPlace: StdioInPlace;
  readonly #own = new OwnRequests();
  /** Requests that the server has received and not answered. */
  readonly #running = new Map<RequestId, RequestShape>();
  /** The lines of those requests, for the terminal. */
  readonly #ends = new Map<RequestId, EndCall>();
  /** Subscriptions that were made again, and whose acknowledgement the client has received already. */
  readonly #renewed = new Set<RequestId>();
  readonly #waiting = new WaitingLines();
  #isHolding = true;
  #refusal: string | undefined;
  #child: ChildServer | undefined;
  readonly #children = new Children((child, end) => this.#noteEnd(child, end));
  /** The next server while the session is opened there. */
  #entering: ChildServer | undefined;
  #capabilities: unknown;
  /** Whether the client is gone, so that the end of the server is not a surprise. */
  #isLeaving = false;

  constructor(private readonly options: StdioHolderOptions) {
    this.#inPlace = new StdioInPlace({
      watcher: options.questions,
      tap: options.tap,
      session: this.#session,
      own: this.#own,
      child: () => this.#child,
      write: (text) => this.#write(text),
    });
    const input = options.input.on('error', options.onHangUp);
    readLines(input, { onLine: (line) => this.#take(line), onEnd: () => void this.#leave().catch(mention) });
    options.output.on('error', options.onHangUp);
    options.second?.attach((text) => this.#take(text));
  }

  hold(): void {
    this.#refusal = undefined;
    this.#isHolding = true;
  }

  release(): void {
    this.#isHolding = false;
    for (const text of this.#waiting.takeAll()) this.#forward(text);
  }

  start(program: string): Promise<ChildServer> {
    return this.#children.start({
      ...this.options.child,
      program,
      speaks: true,
      clock: this.options.clock,
      onLine: (line, child) => this.#hear(line, child),
      ready: (child) => this.#own.ask(child, ARE_YOU_THERE),
    });
  }

  async replace(next: ChildServer | undefined, { patience, why }: Handover): Promise<readonly string[]> {
    const last = this.#child;
    await this.#drain(patience);
    if (this.#children.isClosed) throw commandError('SIGIL_DEV_CLOSED');
    this.#refuseUnfinished(why);
    this.#withdrawQuestions();
    const remarks = next ? await this.#takeOver(next, last) : [];
    this.#child = next;
    last?.stop(ENDING).catch(mention);
    if (next) this.#resend(next);
    else await this.#children.ended();
    return remarks;
  }

  refuse(why: string): void {
    this.#refusal = why;
    this.#isHolding = false;
    for (const text of this.#waiting.takeAll()) this.#turnDown(text);
  }

  async close(): Promise<void> {
    this.options.input.pause();
    await this.#children.close();
  }

  async #drain(patience: number): Promise<void> {
    const { clock = systemClock } = this.options;
    const deadline = clock.elapsed() + patience;
    while (!this.#children.isClosed && this.#unfinished().length > 0 && clock.elapsed() < deadline) await pause(10);
  }

  /** Answers the calls that the last server has not finished. */
  #refuseUnfinished(why: string): void {
    for (const id of this.#unfinished()) {
      this.#end(id, { error: { message: why } });
      this.#write(restartError(id, why));
    }
  }

  /** Opens the session at the next server, whose messages for it reach the client from now on; if it refuses, the last server stays. */
  async #takeOver(next: ChildServer, last: ChildServer | undefined): Promise<readonly string[]> {
    this.#child = next;
    this.#entering = next;
    try {
      const remarks = await this.#renewSession(next);
      if (next.hasEnded) throw commandError('SIGIL_DEV_ENDED', { how: describeEnd(await next.ended) });
      return remarks;
    } catch (error) {
      this.#child = last;
      if (last?.hasEnded) this.#noteEnd(last, await last.ended);
      throw await failedStart(error, next);
    } finally {
      this.#entering = undefined;
    }
  }

  /** Sends the requests that outlast a restart to the next server, and announces that its lists may differ. */
  #resend(next: ChildServer): void {
    for (const [id, request] of this.#running) {
      this.#renewed.add(id);
      next.send(JSON.stringify(request));
    }
    for (const change of this.#session.isOpen ? listChanges(this.#capabilities) : []) this.#write(change);
  }

  /** Opens the session at a new server as the client did at the first one. @returns what could not be restored, in sentences */
  async #renewSession(child: ChildServer): Promise<readonly string[]> {
    const { opening } = this.#session;
    const isOpening = [...this.#running.values()].some(({ method }) => method === 'initialize');
    if (opening === undefined || isOpening) return [];
    const ask = (request: OwnRequest) => this.#own.ask(child, request);
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

  /** After the end of the input, which ends the server as well: it answers what it has received, as it would without us. */
  async #leave(): Promise<void> {
    const { clock = systemClock, onHangUp } = this.options;
    await this.#waiting.empty(LONGEST_START, clock);
    this.#isLeaving = true;
    await this.#child?.stop(ENDING);
    onHangUp();
  }

  /** Takes a line of the client. Answers and cancellations belong to running calls, so they do not wait. */
  #take(text: string): void {
    this.options.tap?.note({ from: 'client', text, session: this.#session });
    const { taken, rest } = takeOut(text, (message) => isResponse(message) || cancelledId(message) !== undefined);
    if (rest !== undefined) {
      if (this.#refusal !== undefined) this.#turnDown(rest);
      else if (this.#isHolding) this.#waiting.add(rest);
      else this.#forward(rest);
    }
    for (const message of taken) this.#passAhead(message);
  }

  #forward(given: string): void {
    const { rest: text } = takeOut(given, (message) => this.#inPlace.takes(message));
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
  #end(id: RequestId, answer: MessageShape | undefined): void {
    this.#running.delete(id);
    if (answer) this.#ends.get(id)?.(answer);
    this.#ends.delete(id);
  }

  #passAhead(message: MessageShape): void {
    if (isResponse(message)) {
      const answer = this.#inPlace.ids.restore(message);
      // The answer may be for a server that has ended.
      if (answer !== undefined) this.#child?.send(answer);
      return;
    }
    const id = cancelledId(message);
    // A request that is cancelled before the server receives it is not sent at all.
    if (id === undefined || this.#waiting.cancel(id)) return;
    this.#end(id, undefined);
    this.#child?.send(JSON.stringify(message));
  }

  #turnDown(text: string): void {
    for (const message of readShapes(text)) {
      if (isRequest(message)) this.#write(restartError(message.id, this.#refusal ?? ''));
    }
  }

  /** Takes a line of the server. */
  #hear(line: string, child: ChildServer): void {
    const heard = rewriteEach(line, (message, text) => {
      if (this.#own.hear(message) || child !== this.#child) return [];
      return this.#rewrite(message, text);
    });
    for (const text of heard) this.#write(text);
  }

  /** The messages for the client in place of a message of the server. */
  #rewrite(message: MessageShape, text: string): readonly string[] {
    if (message.method === undefined) this.#finish(message);
    const id = acknowledgedId(message);
    if (id !== undefined && this.#renewed.delete(id)) return changesFor(message, id);
    return [this.#inPlace.ids.rename(message) ?? text];
  }

  #finish(message: MessageShape): void {
    const { id, result } = message;
    if (id === undefined || id === null) return;
    const running = this.#running.get(id);
    this.#end(id, message);
    this.#inPlace.hear(running, message);
    if (!running || !isObject(result)) return;
    this.#session.note(running);
    if (running.method === 'initialize') this.#capabilities = result['capabilities'];
  }

  #noteEnd(child: ChildServer, end: ChildEnd): void {
    // The end of a server whose session is being opened fails that, and the last server stays.
    if (this.#child === child && this.#entering !== child && !this.#isLeaving) this.#died(end, child);
  }

  #died(end: ChildEnd, { crash }: ChildServer): void {
    this.#child = undefined;
    this.#withdrawQuestions();
    this.options.onDeath(end, crash);
  }

  #withdrawQuestions(): void {
    for (const id of this.#inPlace.ids.forget()) this.#write(withdrawal(String(id)));
  }

  /** The running requests to wait for; subscriptions and the opening are sent again instead. */
  #unfinished(): RequestId[] {
    return [...this.#running].filter(([, { method }]) => !AGAIN.has(method)).map(([id]) => id);
  }

  #write(text: string): void {
    const { tap, second, output } = this.options;
    tap?.note({ from: 'server', text, session: this.#session });
    if (!second?.takes(text)) output.write(`${text}\n`);
  }
}

/** Requests that can be sent again to the next server. */
const AGAIN = new Set([LISTEN, 'initialize']);

function withdrawal(requestId: string): string {
  const params = { requestId, reason: 'The server was restarted.' };
  return writeNotification({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
}
