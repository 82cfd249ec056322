/** A server that is restarted after each change of its sources, while its clients stay connected. */
import { reasonOf } from '../failure';
import type { Styles } from '../terminal/styles';
import { describeEnd, type ChildEnd } from './child-server';
import type { Holder } from './holder';
import { RESTARTED } from './restart-error';
import type { SourceEvents } from './source-watch';

/** The parts that a server under development works with. */
export interface DevServerOptions {
  readonly holder: Holder;
  /** Milliseconds for running calls to finish. */
  readonly patience: number;
  /** Prints a line for the developer. */
  readonly say: (line: string) => void;
  readonly styles: Styles;
  /** The URL for clients; undefined for stdin and stdout. */
  readonly address: string | undefined;
}

/** Milliseconds for a server to end before it is killed. */
const ENDING = 3000;
/** A server that ends sooner than this is not restarted before the next change, milliseconds. */
const SHORT_LIFE = 2000;

/** Receives changes of the sources, and replaces the server behind the holder; one replacement at a time. */
export class DevServer implements SourceEvents {
  #work: Promise<void> = Promise.resolve();
  #isChanging = false;
  #program: string | undefined;
  /** When the running server was started; undefined if none is running. */
  #startedAt: number | undefined;
  #isClosed = false;

  constructor(private readonly options: DevServerOptions) {}

  changed(): void {
    this.#isChanging = true;
    this.options.holder.hold();
  }

  failed(description: string): void {
    const { say, styles } = this.options;
    this.#isChanging = false;
    say(`${styles.bad('does not compile')}\n\n${description}\n`);
    // A replacement may be under way, with the last version that compiled.
    this.#work = this.#work.then(() => this.#goOn());
  }

  #goOn(): void {
    const { holder, say } = this.options;
    if (this.#isClosed || this.#isChanging) return;
    if (this.#startedAt !== undefined) {
      say('The last version that compiled keeps running.');
      holder.release();
    } else if (this.#program !== undefined) holder.refuse('The server does not compile.');
  }

  built(program: string): void {
    this.#isChanging = false;
    this.#program = program;
    this.#work = this.#work.then(() => this.#exchange(program));
  }

  missing(problem: string): void {
    this.options.say(this.options.styles.warn(problem));
  }

  /** Called when the server ended unexpectedly. */
  readonly onDeath = (end: ChildEnd): void => {
    const { holder, say, styles } = this.options;
    const lived = Date.now() - (this.#startedAt ?? Date.now());
    const why = `The server ended ${describeEnd(end)}.`;
    this.#startedAt = undefined;
    say(styles.bad(why));
    this.#work = this.#work.then(async () => {
      if (this.#isClosed || this.#startedAt !== undefined) return;
      await holder.drain(0, why);
      if (this.#isClosed) return;
      if (lived < SHORT_LIFE || this.#program === undefined) this.#giveUp(why);
      else await this.#exchange(this.#program);
    });
  };

  /** Ends the server, and closes the connections of its clients. */
  async close(): Promise<void> {
    const { holder } = this.options;
    this.#isClosed = true;
    await holder.close();
    // Pending work may have started another server by now.
    await this.#work;
    await holder.detach(0);
  }

  async #exchange(program: string): Promise<void> {
    const { holder, say, styles, address } = this.options;
    if (this.#isClosed) return;
    const begin = Date.now();
    holder.hold();
    if (this.#startedAt !== undefined) await this.#endLast();
    if (this.#isClosed) return;
    try {
      const { remarks } = await holder.attach(program);
      if (this.#isClosed) return;
      this.#startedAt = Date.now();
      const took = styles.dim(`in ${((Date.now() - begin) / 1000).toFixed(1)} s`);
      say([styles.good('ready'), took, ...(address === undefined ? [] : [`at ${styles.bold(address)}`])].join(' '));
      for (const remark of remarks) say(remark);
      if (!this.#isChanging) holder.release();
    } catch (error) {
      await holder.detach(0);
      this.#giveUp(`The server does not start: ${reasonOf(error)}`);
    }
  }

  async #endLast(): Promise<void> {
    const { holder, patience } = this.options;
    this.#startedAt = undefined;
    await holder.drain(patience, RESTARTED);
    if (!this.#isClosed) await holder.detach(ENDING);
  }

  #giveUp(why: string): void {
    const { holder, say, styles } = this.options;
    if (this.#isClosed) return;
    say(`${styles.bad(why)} It is started again after the next change.`);
    if (!this.#isChanging) holder.refuse(why);
  }
}
