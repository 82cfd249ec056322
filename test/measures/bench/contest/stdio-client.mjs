/** The client of a server over stdio, as lean as possible: bytes out, and in what comes back the ids found and the data checked. */
import { nodeOnCore } from '../http/server-process.mjs';
import { INITIALIZE, INITIALIZED, callIn, dataOf, startClocks } from './messages.mjs';

const SERVER_CORE = 0;

export class StdioClient {
  #child;
  #begun;
  #onAnswer;
  #onRead;
  #onEnd;
  #id = 0;

  /**
   * @param {string[]} words a program and what it is told
   * @param [how] other options of its process, and the core, that of servers if left out
   */
  constructor(words, { core = SERVER_CORE, ...options } = {}) {
    this.#child = nodeOnCore(core, words, { stdio: ['pipe', 'pipe', 'inherit'], ...options });
    this.#child.stdout.on('data', (chunk) => this.#read(chunk));
    this.#child.stdin.on('error', () => undefined);
    this.#child.once('close', () => this.#onEnd?.(new Error(`${words.join(' ')} ended`)));
  }

  /** Resolves when `initialize` is answered. */
  async initialize() {
    const answer = await new Promise((resolve, reject) => {
      this.#expect({ onAnswer: (_, bytes) => resolve(bytes), onRead: () => undefined, onEnd: reject });
      this.#child.stdin.write(`${INITIALIZE}\n`);
    });
    if (!answer.includes('"serverInfo"')) throw new Error(`initialize was answered with ${answer}`);
    this.#child.stdin.write(`${INITIALIZED}\n`);
  }

  /** Keeps calls in flight for some seconds; what a chunk makes room for goes out in one write. */
  load(conversation, { inFlight, seconds }) {
    const callOf = callIn(conversation);
    const waiting = new Set();
    let [answered, room] = [0, 0];
    const send = (count) => {
      let lines = '';
      for (; count > 0; count -= 1) {
        waiting.add((this.#id += 1));
        lines += `${callOf(this.#id)}\n`;
      }
      this.#child.stdin.write(lines);
    };
    return new Promise((resolve, reject) => {
      const stopClocks = startClocks(this.#child.pid);
      const until = performance.now() + seconds * 1000;
      const onAnswer = (id, bytes, start, end) => {
        const at = waiting.delete(id) ? bytes.indexOf(dataOf(id), start) : -1;
        if (at < 0 || at > end) reject(new Error(`unexpected answer: ${bytes.toString('utf8', start, end)}`));
        answered += 1;
        room += 1;
      };
      const onRead = () => {
        if (performance.now() < until) send(room);
        else if (waiting.size === 0) resolve(stopClocks(answered));
        room = 0;
      };
      this.#expect({ onAnswer, onRead, onEnd: reject });
      send(inFlight);
    });
  }

  async end() {
    const closed = new Promise((resolve) => this.#child.once('close', resolve));
    this.#onEnd = undefined;
    this.#child.kill();
    await closed;
  }

  #expect({ onAnswer, onRead, onEnd }) {
    this.#onAnswer = onAnswer;
    this.#onRead = onRead;
    this.#onEnd = onEnd;
  }

  #read(chunk) {
    const bytes = this.#begun === undefined ? chunk : Buffer.concat([this.#begun, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      this.#onAnswer(idIn(bytes, start), bytes, start, end);
      start = end + 1;
    }
    this.#begun = start < bytes.length ? bytes.subarray(start) : undefined;
    this.#onRead();
  }
}

function idIn(bytes, start) {
  let id = 0;
  for (let at = bytes.indexOf('"id":', start) + 5; bytes[at] >= 48 && bytes[at] <= 57; at += 1)
    id = id * 10 + bytes[at] - 48;
  return id;
}
