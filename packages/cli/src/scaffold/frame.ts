/** The output of `sigil new`, from the first question to the last step: a frame at a terminal, a line for each finished step elsewhere. */
import { print, show } from '../terminal/outlet';
import { ERASE_LINE } from '../terminal/status-line';
import { stylesFor } from '../terminal/styles';

/** The output between the first line and the last one. */
export interface StepOutput {
  /** Shows one step from its beginning to its end. */
  step<T>(doing: string, done: string, work: () => Promise<T>): Promise<T>;
  /** Shows a remark between the steps. */
  note(text: string): void;
  /** Closes the frame after success. */
  close(): void;
  /** Closes the frame after a failure, whose message follows below it. */
  abandon(): void;
}

const TURNING = ['◒', '◐', '◓', '◑'];

/** Milliseconds between two frames of the spinner. */
const PACE = 120;

/** Opens the frame; the prompts of clack continue it. */
export function openFrame(terminal: boolean, title: string): StepOutput {
  return terminal ? new DrawnFrame(title) : PLAIN;
}

/** Lines that a program can read. */
const PLAIN: StepOutput = {
  step: async (_doing, done, work) => {
    const result = await work();
    print(done);
    return result;
  },
  note: print,
  close: () => undefined,
  abandon: () => undefined,
};

/** Symbols and lines in the style of clack. */
class DrawnFrame implements StepOutput {
  readonly #styles = stylesFor(process.stdout);

  constructor(title: string) {
    print(`${this.#styles.line('┌')}  ${title}`);
  }

  /** Shows a spinner. It does not read the keyboard, so Ctrl-C stays a signal while another program runs. */
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
