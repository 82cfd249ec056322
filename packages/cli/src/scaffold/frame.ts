/** What `sigil new` shows, from its first question to its last step: a frame on a terminal, a line for each finished step elsewhere. */
import { print, show } from '../terminal/outlet';
import { ERASE_LINE } from '../terminal/status-line';
import { stylesFor } from '../terminal/styles';

/** All that happens between its first line and its last one. */
export interface Frame {
  /** Shows one step from its beginning to its end. */
  step<T>(doing: string, done: string, work: () => Promise<T>): Promise<T>;
  /** Says something beside the steps. */
  note(text: string): void;
  /** Ends it: all went well. */
  close(): void;
  /** Ends it before the end: what went wrong is said below it. */
  abandon(): void;
}

const TURNING = ['◒', '◐', '◓', '◑'];

/** The time between two positions of the turning sign, milliseconds. */
const PACE = 120;

/** Opens the frame; the questions that clack asks stand in it as its own. */
export function openFrame(terminal: boolean, title: string): Frame {
  return terminal ? new DrawnFrame(title) : PLAIN;
}

/** Lines that a program may read. */
const PLAIN: Frame = {
  step: async (_doing, done, work) => {
    const result = await work();
    print(done);
    return result;
  },
  note: print,
  close: () => undefined,
  abandon: () => undefined,
};

/** Signs and lines as clack draws them. */
class DrawnFrame implements Frame {
  readonly #styles = stylesFor(process.stdout);

  constructor(title: string) {
    print(`${this.#styles.line('┌')}  ${title}`);
  }

  /** Shows a turning sign; the keys are left alone, so that Ctrl-C is a signal while another program runs. */
  async step<T>(doing: string, done: string, work: () => Promise<T>): Promise<T> {
    const { line, good, bad } = this.#styles;
    let turn = 0;
    const draw = (): void => show(process.stdout, `${ERASE_LINE}${TURNING[turn++ % TURNING.length]}  ${doing}`);
    print(line('│'));
    draw();
    const timer = setInterval(draw, PACE);
    try {
      const result = await work();
      print(`${ERASE_LINE}${good('◇')}  ${done}`);
      return result;
    } catch (error) {
      print(`${ERASE_LINE}${bad('■')}  ${doing}`);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  note(text: string): void {
    const { line } = this.#styles;
    print(`${line('│')}\n${line('│')}  ${text}`);
  }

  close(): void {
    const { line } = this.#styles;
    print(`${line('│')}\n${line('└')}  Done.`);
  }

  abandon(): void {
    print(`${this.#styles.line('└')}\n\n`);
  }
}
