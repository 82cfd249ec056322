/** What a program writes to stderr: passed on as it comes, with the report of its crash taken out and the last lines stored. */
import { Transform, type TransformCallback } from 'node:stream';
import { CRASH_MARK, readCrash, type Crash } from './crash-report';

/** The number of lines that are stored: a crash has its message at the top, and the stack and fields below. */
const STORED = 500;

/** A stream between the stderr of a program and ours. */
export class LastOutput extends Transform {
  readonly lines: string[] = [];
  #begun = '';
  /** Whether the begun line was passed on already: a progress bar does not wait for its end. */
  #passed = 0;
  #crash: Crash | undefined;

  constructor() {
    super({ decodeStrings: false, encoding: 'utf8' });
  }

  /** The error that ended the program, if its process reported one. */
  get crash(): Crash | undefined {
    return this.#crash;
  }

  override _transform(chunk: unknown, _encoding: string, done: TransformCallback): void {
    const lines = (this.#begun + String(chunk)).split('\n');
    this.#begun = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
    if (!mayBeMarked(this.#begun)) this.#pass(this.#begun);
    done();
  }

  override _flush(done: TransformCallback): void {
    if (this.#begun !== '') this.#take(this.#begun);
    done();
  }

  #take(line: string): void {
    const crash = readCrash(line);
    if (crash) {
      this.#crash = crash;
      this.#passed = 0;
      return;
    }
    this.#pass(`${line}\n`);
    this.#passed = 0;
    this.lines.push(line);
    if (this.lines.length > STORED) this.lines.shift();
  }

  #pass(text: string): void {
    if (text.length > this.#passed) this.push(text.slice(this.#passed));
    this.#passed = text.length;
  }
}

function mayBeMarked(begun: string): boolean {
  return begun === '' || begun.startsWith(CRASH_MARK) || CRASH_MARK.startsWith(begun);
}
