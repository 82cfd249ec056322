/** The output of `sigil new`, from the first question to the last step: a frame at a terminal, a line for each finished step elsewhere. */
import { show } from '../terminal/outlet';
import { ERASE_LINE } from '../terminal/status-line';
import type { Styles } from '../terminal/styles';
import type { Shell } from '../terminal/shell';

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
export function openFrame(shell: Shell, terminal: boolean, title: string): StepOutput {
  return terminal ? new DrawnFrame(shell, title) : new PlainLines(shell);
}

/** Lines that a program can read. */
class PlainLines implements StepOutput {
  constructor(private readonly shell: Shell) {}

  async step<T>(_doing: string, done: string, work: () => Promise<T>): Promise<T> {
    const result = await work();
    this.shell.print(done);
    return result;
  }

  note(text: string): void {
    this.shell.print(text);
  }

  close(): void {}

  abandon(): void {}
}

/** Symbols and lines in the style of clack. */
class DrawnFrame implements StepOutput {
  readonly #styles: Styles;

  constructor(
    private readonly shell: Shell,
    title: string,
  ) {
    this.#styles = shell.styles;
    this.shell.print(`${this.#styles.line('┌')}  ${title}`);
  }

  /** Shows a spinner. It does not read the keyboard, so Ctrl-C stays a signal while another program runs. */
  async step<T>(doing: string, done: string, work: () => Promise<T>): Promise<T> {
    const { line, good, bad } = this.#styles;
    let turn = 0;
    const draw = (): void => show(this.shell.stdout, `${ERASE_LINE}${TURNING[turn++ % TURNING.length]}  ${doing}`);
    this.shell.print(line('│'));
    // It listens for signals before a user can see that it runs.
    const working = work();
    draw();
    const timer = setInterval(draw, PACE);
    try {
      const result = await working;
      this.shell.print(`${ERASE_LINE}${good('◇')}  ${done}`);
      return result;
    } catch (error) {
      this.shell.print(`${ERASE_LINE}${bad('■')}  ${doing}`);
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  note(text: string): void {
    const { line } = this.#styles;
    this.shell.print(`${line('│')}\n${line('│')}  ${text}`);
  }

  close(): void {
    const { line } = this.#styles;
    this.shell.print(`${line('│')}\n${line('└')}  Done.`);
  }

  abandon(): void {
    this.shell.print(`${this.#styles.line('└')}\n\n`);
  }
}
