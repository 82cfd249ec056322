/** A server that is replaced after each change of its sources, while its clients stay connected. */
import { systemClock, type Timer } from '@sigil-mcp/base';
import type { Crash } from '../causes/crash-report';
import { describeCause, type Cause, type CauseOptions } from '../causes/describe-cause';
import type { Styles } from '../terminal/styles';
import { describeEnd, type ChildEnd } from './child-server';
import { RESTARTED, StartFailure, type Holder } from './holder';
import type { SourceEvents } from './tap';
import { readProblems } from '../causes/read-problems';
import { tellingLines } from '../causes/last-words';
import { reasonOf } from '../failure';

/** Lines of a server's output in the message for a client. */
const QUOTED = 5;

/** The parts that a server under development works with. */
export interface DevServerOptions {
  readonly holder: Pick<Holder, keyof Holder>;
  /** Of the project; the base of the paths in messages. */
  readonly folder: string;
  /** Milliseconds for running calls to finish. */
  readonly patience: number;
  /** Prints a line for the developer. */
  readonly say: (line: string) => void;
  readonly styles: Styles;
  /** Whether a person reads the lines as they come. */
  readonly isTerminal?: boolean;
  /** The URL for clients; undefined for stdin and stdout. */
  readonly address: string | undefined;
  /** Is notified of each version and each failure; nobody is if left out. */
  readonly listener?: DevListener | undefined;
}

/** Is notified of what happens to the server, such as the page of `sigil dev`. */
export interface DevListener {
  /** A source has changed; the next call says with what result. */
  building(): void;
  /** A version accepts messages. @param took milliseconds */
  ready(version: number, took: number): void;
  /** @param serving the version that answers clients meanwhile; undefined if none does */
  failed(
    stage: 'compile' | 'start' | 'run',
    cause: Pick<Cause, 'headline' | 'problems'>,
    serving: number | undefined,
  ): void;
}

/** Milliseconds after which a start is announced. */
const LONG = 1000;
/** A server that ends sooner than this is not restarted before the next change, milliseconds. */
const SHORT_LIFE = 2000;

/** The server that answers clients. */
interface Serving {
  /** Counts the servers that started, from 1. */
  readonly version: number;
  readonly startedAt: number;
}

/**
 * Receives changes of the sources, and replaces the server behind the holder; one replacement at a time. The last good server serves until
 * the next one accepts messages.
 */
export class DevServer implements SourceEvents {
  #work: Promise<void> = Promise.resolve();
  #isChanging = false;
  #program: string | undefined;
  /** Counts the replacements that were ordered: only the last one is made. */
  #ordered = 0;
  #version = 0;
  #serving: Serving | undefined;
  /** The replacement that was tried again, because its port had been taken. */
  #triedAgain = 0;
  #isClosed = false;
  /** What keeps the newest sources from being compiled; undefined if nothing does. */
  #broken: Cause | undefined;

  constructor(private readonly options: DevServerOptions) {}

  changed(): void {
    this.#isChanging = true;
    this.#broken = undefined;
    this.options.listener?.building();
    if (!this.#serving) this.options.holder.hold();
  }

  failed(cause: Cause): void {
    const { say, styles, listener } = this.options;
    const { headline, text } = cause;
    this.#isChanging = false;
    say(`${styles.bad('does not compile')}\n\n${text}\n`);
    listener?.failed('compile', cause, this.#serving?.version);
    this.#broken = cause;
    const before = this.#serving?.version;
    // A replacement may be under way, with the last version that compiled.
    this.#work = this.#work.then(() => {
      const serving = this.#serving?.version;
      // That version is older than the mistake.
      if (this.#broken === cause && serving !== before) listener?.failed('compile', cause, serving);
      this.#giveUp(`The server does not compile. ${headline}`);
    });
  }

  built(program: string): void {
    this.#isChanging = false;
    this.#program = program;
    this.#order(program);
  }

  missing(problem: string): void {
    this.options.say(this.options.styles.warn(problem));
  }

  /** The compiled program of the server; undefined before the first one is built. */
  get program(): string | undefined {
    return this.#program;
  }

  /** Called when the server ended unexpectedly. */
  onDeath(end: ChildEnd, crash: Crash | undefined): void {
    const { holder, say, styles, folder, listener } = this.options;
    const cause = crash && describeCause(crash, { folder, styles });
    const lived = Date.now() - (this.#serving?.startedAt ?? Date.now());
    const why = `The server ended ${describeEnd(end)}.`;
    this.#serving = undefined;
    holder.hold();
    say(styles.bad(why) + (cause ? `\n\n${cause.text}\n` : ''));
    listener?.failed('run', { headline: why, problems: cause?.problems ?? [{ message: why, rest: [] }] }, undefined);
    this.#work = this.#work.then(async () => {
      if (this.#isClosed || this.#serving) return;
      await holder.replace(undefined, { patience: 0, why });
      if (this.#program === undefined || (lived < SHORT_LIFE && !this.#mayTryAgain(crash)))
        this.#giveUp([why, cause?.headline ?? ''].join(' ').trim());
      else await this.#exchange(this.#program, this.#ordered);
    });
  }

  /** Ends the server, and closes the connections of its clients. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.options.holder.close();
    await this.#work;
  }

  #order(program: string): void {
    const order = (this.#ordered += 1);
    this.#work = this.#work.then(async () => {
      // A newer program is in the same file.
      if (order === this.#ordered) await this.#exchange(program, order);
    });
  }

  async #exchange(program: string, order: number): Promise<void> {
    const { holder } = this.options;
    if (this.#isClosed) return;
    const begin = Date.now();
    if (!this.#serving) holder.hold();
    const waiting = this.#sayLate();
    try {
      const remarks = await this.#replace(program, waiting);
      this.#serving = { version: (this.#version += 1), startedAt: Date.now() };
      this.#report(Date.now() - begin, remarks);
      holder.release();
    } catch (error) {
      // A newer program is on its way: only its result counts.
      if (!this.#isChanging && order === this.#ordered) this.#reportFailure(error);
      else if (this.#serving) holder.release();
    } finally {
      waiting.close();
    }
  }

  /** Says what takes long; only at a terminal. */
  #sayLate(): Timer {
    const { say, isTerminal = false } = this.options;
    return systemClock.after(LONG, () => isTerminal && say('waits for the new version to accept messages ...'));
  }

  /** Replaces the server by the next one; the last one serves meanwhile, unless both need the same port. */
  async #replace(program: string, waiting: Timer): Promise<readonly string[]> {
    const { holder, say, patience } = this.options;
    try {
      return await this.#moveTo(program, waiting);
    } catch (error) {
      if (this.#isClosed || !this.#serving || !needsPort(error)) throw error;
      const { version } = this.#serving;
      say(`The new version needs a port that version ${version} uses: version ${version} ends first.`);
      this.#serving = undefined;
      holder.hold();
      await holder.replace(undefined, { patience, why: RESTARTED });
      return this.#moveTo(program, waiting);
    }
  }

  /** Starts a server, and moves the clients there when it accepts messages. */
  async #moveTo(program: string, waiting: Timer): Promise<readonly string[]> {
    const { holder, patience } = this.options;
    const next = await holder.start(program);
    waiting.close();
    holder.hold();
    return holder.replace(next, { patience, why: RESTARTED });
  }

  /** Whether a server that has just ended may find its port free now: it began to serve before the last one had ended. */
  #mayTryAgain(crash: Crash | undefined): boolean {
    if (this.#triedAgain === this.#ordered || !isPortTaken(crash)) return false;
    this.#triedAgain = this.#ordered;
    return true;
  }

  #report(took: number, remarks: readonly string[]): void {
    const { say, styles, address, listener } = this.options;
    listener?.ready(this.#version, took);
    const ready = `version ${this.#version} ${styles.good('ready')} ${styles.dim(`in ${(took / 1000).toFixed(1)} s`)}`;
    say(address === undefined ? ready : `${ready} at ${styles.bold(address)}`);
    for (const remark of remarks) say(remark);
  }

  #reportFailure(error: unknown): void {
    const { holder, say, styles, folder, listener } = this.options;
    if (this.#isClosed) return;
    const cause = explainStart(error, { folder, styles });
    say(`${styles.bad('does not start')}\n\n${cause.text}\n`);
    listener?.failed('start', cause, this.#serving?.version);
    // A replacement that failed may have held the requests.
    if (this.#serving) holder.release();
    this.#giveUp(`The server does not start. ${cause.headline}`);
  }

  /** Says who answers clients after a failure: the last good server, or an error. */
  #giveUp(why: string): void {
    const { holder, say } = this.options;
    if (this.#isClosed) return;
    if (this.#serving) return say(`Version ${this.#serving.version} keeps serving.`);
    say('No version is running: clients receive this error. The next change is tried as soon as it is saved.');
    if (!this.#isChanging) holder.refuse(why);
  }
}

/** Explains a failed start. */
function explainStart(error: unknown, options: CauseOptions): Cause {
  const reason = reasonOf(error);
  if (!(error instanceof StartFailure))
    return { headline: reason, text: reason, problems: [{ message: reason, rest: [] }] };
  const crash = error.crash ?? readProblems(error.lastLines);
  if (crash) return describeCause(crash, options);
  const said = tellingLines(error.lastLines).slice(0, QUOTED);
  return { headline: [reason, ...said].join('\n'), text: reason, problems: [{ message: reason, rest: said }] };
}

/** Whether a server did not start because another process uses its port: perhaps the last version, which still runs. */
function needsPort(error: unknown): boolean {
  if (!(error instanceof StartFailure)) return false;
  return isPortTaken(error.crash) || error.lastLines.some(namesTakenPort);
}

/** Whether a server ended because another process uses its port. */
function isPortTaken(crash: Crash | undefined): boolean {
  return crash !== undefined && [crash.message, ...crash.causes].some(namesTakenPort);
}

/** The code of the system, or the one of Sigil's own transports. */
function namesTakenPort(text: string): boolean {
  return /EADDRINUSE|SIGIL_PORT_TAKEN/.test(text);
}
