/** Plays a conversation over an ordered pipe, and says what went wrong. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../../../support/transcript';
import { settled } from '../../../support/watched/settled';
import { Ledger } from '../judging/ledger';
import { openingTexts, type Conversation, type Input } from '../traffic/conversation';
import { isQuestion, readRetryable, replyTo, retryOf } from '../traffic/replies';
import { NEWEST } from '../traffic/valid-messages';
import { isUtf8 } from 'node:buffer';
import type { WatchedServer } from '../../../support/watched/watched-server';

const NEWLINE = 0x0a;

const RETURN = 0x0d;

/** A pipe to a server. It tells the ledger what the server reads of what is sent. */
export interface DuplexPipe {
  send(input: Input, ledger: Ledger): void;
  /** Completes what was begun. */
  flush(ledger: Ledger): void;
  /** Why nothing comes any more; undefined while it may. */
  readonly ended: string | undefined;
}

/** Requests that one conversation sends again with answers. */
const MOST_RETRIES = 6;
const END = '{"jsonrpc":"2.0","id":"the end","method":"ping"}';

/** One client. */
export class DuplexTalk {
  readonly #ledger: Ledger;
  readonly #requests = new Map<string, Message>();
  readonly #open: Message[] = [];
  #replies = 0;
  #retries = 0;
  #isEnding = false;
  #hasEnded = false;

  constructor(
    private readonly conversation: Conversation,
    private readonly pipe: DuplexPipe,
  ) {
    const { isOpened, revision } = conversation;
    this.#ledger = new Ledger(isOpened && revision !== NEWEST ? revision : undefined);
  }

  /** Takes a text of the server. */
  readonly receive = (text: string): void => {
    for (const message of this.#ledger.received(text)) {
      if (message === null || typeof message !== 'object') continue;
      if (message['id'] === 'the end') this.#hasEnded = true;
      else if (isQuestion(message)) this.#answer(message);
      else this.#retry(message);
    }
  };

  /**
   * Says everything, and waits for what is answered.
   * @param patience milliseconds
   * @returns what is wrong
   */
  async play(patience: number): Promise<string[]> {
    for (const text of openingTexts(this.conversation)) this.#send({ text });
    for (const input of this.conversation.inputs) {
      if (input.pause) await delay(input.pause);
      this.#send(input);
    }
    await this.#settle(patience);
    return this.#ledger.problems;
  }

  async #settle(patience: number): Promise<void> {
    this.pipe.flush(this.#ledger);
    this.#isEnding = true;
    this.#send({ text: END });
    const isDone = (): boolean => {
      for (const question of this.#open.splice(0)) this.#send({ text: replyTo(question, []) ?? '' });
      return this.pipe.ended !== undefined || (this.#hasEnded && this.#ledger.missing().length === 0);
    };
    await settled(isDone, patience);
    this.#ledger.problems.push(...(this.pipe.ended === undefined ? this.#ledger.missing() : [this.pipe.ended]));
  }

  #send(input: Input): void {
    this.#note(input.text);
    this.pipe.send(input, this.#ledger);
  }

  /** Keeps requests that may have to be sent again. */
  #note(text: string): void {
    const request = readRetryable(text);
    if (request) this.#requests.set(JSON.stringify(request['id']), request);
  }

  #answer(question: Message): void {
    const { replies } = this.conversation;
    const text = this.#isEnding ? undefined : replyTo(question, replies[this.#replies++ % replies.length] ?? []);
    // A broken answer is none: the question is answered once more in the end.
    this.#open.push(question);
    if (text !== undefined) this.#send({ text });
  }

  #retry(message: Message): void {
    const request = this.#requests.get(JSON.stringify(message['id']));
    if (!request || this.#isEnding || this.#retries >= MOST_RETRIES) return;
    const { replies } = this.conversation;
    const text = retryOf(request, message, replies[this.#replies++ % replies.length] ?? [], `retry ${this.#retries}`);
    if (text === undefined) return;
    this.#retries++;
    this.#send({ text });
  }
}

/** The bytes of an input, with those replaced that it spoils. */
export function bytesOf({ text, bytes = [] }: Input): Buffer {
  const whole = Buffer.from(text, 'utf8');
  for (const { at, value } of bytes) if (whole.length > 0) whole[at % whole.length] = value;
  return whole;
}

/** Plays a conversation. @returns what is wrong */
export async function playStdio(
  server: WatchedServer,
  conversation: Conversation,
  patience: number,
): Promise<string[]> {
  let begun = Buffer.alloc(0);
  const send = (bytes: Buffer, ledger: Ledger): void => {
    begun = Buffer.concat([begun, bytes]);
    for (let end = begun.indexOf(NEWLINE); end >= 0; end = begun.indexOf(NEWLINE)) {
      noteLine(begun.subarray(0, end), ledger);
      begun = begun.subarray(end + 1);
    }
    server.stdin.write(bytes);
  };
  const talk = new DuplexTalk(conversation, {
    send: (input, ledger) => send(Buffer.concat([bytesOf(input), Buffer.from(input.ending ?? '\n')]), ledger),
    flush: (ledger) => begun.length > 0 && send(Buffer.from('\n'), ledger),
    get ended() {
      return server.ended;
    },
  });
  readLines(server, talk.receive);
  return talk.play(patience);
}

function noteLine(line: Buffer, ledger: Ledger): void {
  const text = line.at(-1) === RETURN ? line.subarray(0, -1) : line;
  if (isUtf8(line)) ledger.sent(text.toString('utf8'));
  else ledger.sentGarbage();
}

function readLines(server: WatchedServer, take: (line: string) => void): void {
  let rest = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
