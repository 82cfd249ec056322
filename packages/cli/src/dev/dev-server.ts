/** A server that is exchanged whenever its sources change, while its clients stay where they are. */
import { reasonOf } from '../failure';
import type { Styles } from '../terminal/styles';
import { describeEnd, type ChildEnd } from './child-server';
import type { Holder } from './holder';
import { RESTARTED } from './restart-error';
import type { SourceEvents } from './source-watch';

/** Who takes part when a server is developed. */
export interface DevServerOptions {
  readonly holder: Holder;
  /** Milliseconds that running calls have to finish. */
  readonly patience: number;
  /** Takes a line for the person who develops. */
  readonly say: (line: string) => void;
  readonly styles: Styles;
  /** The URL where clients connect; undefined where they speak on stdin and stdout. */
  readonly address: string | undefined;
}

/** Milliseconds that a server has to end by itself. */
const ENDING = 3000;
/** A server that ends sooner than this will not do better the next time, milliseconds. */
const SHORT_LIFE = 2000;

/** Hears of the sources, and exchanges the server behind the holder; one exchange at a time. */
export class DevServer implements SourceEvents {
  #work: Promise<void> = Promise.resolve();
  #isChanging = false;
  #program: string | undefined;
  /** When the server that runs was started; undefined where none runs. */
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
    // An exchange may be under way: what it brings is the server that compiled last.
    this.#work = this.#work.then(() => this.#goOn());
  }

  #goOn(): void {
    const { holder, say } = this.options;
    if (this.#isClosed || this.#isChanging) return;
    if (this.#startedAt !== undefined) {
      say('The server that compiled last goes on.');
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

  /** Hears that the server ended by itself. */
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

  /** Ends the server, and lets its clients go. */
  async close(): Promise<void> {
    const { holder } = this.options;
    this.#isClosed = true;
    await holder.close();
    // What was on its way may have brought another server by now.
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
    say(`${styles.bad(why)} Change something, and it is tried again.`);
    if (!this.#isChanging) holder.refuse(why);
  }
}
