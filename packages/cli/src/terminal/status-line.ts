/** The last line of a terminal, which is redrawn during a call, and the lines above it; plain lines elsewhere. */
import { isObject, systemClock, type Clock, visible } from '@sigil-mcp/base';
import { show } from './outlet';
import { own } from './own-sequences';
import type { Output, Shell } from './shell';
import type { Styles } from './styles';
import { graphemes, widthOf } from './wrap-text';

/** A progress report of a server. */
interface ShownProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const CELLS = 24;

/** Erases the line, and moves to its beginning. */
export const ERASE_LINE = own('\u001b[2K\u001b[1G');
const DEFAULT_WIDTH = 80;
/** Milliseconds; also the shortest wait that is shown. */
const SECOND = 1000;

/** A log message of a server. */
export interface LogMessage {
  readonly level: string;
  readonly logger?: string | undefined;
  readonly data?: unknown;
}

/** The status line of a command, on stderr: stdout is for results. */
export class StatusLine {
  readonly styles: Styles;
  #shown = '';
  #hidden = false;

  /** Whether the shown line is about a wait, and not the progress of a call. */
  #isWaiting = false;

  constructor(
    private readonly shell: Pick<Shell, 'stderr' | 'errorStyles' | 'env'>,
    private readonly clock: Clock = systemClock,
  ) {
    this.styles = shell.errorStyles;
  }

  get #stream(): Output {
    return this.shell.stderr;
  }

  /** Shows the progress of a call. */
  progress(progress: ShownProgress): void {
    const of = progress.total === undefined ? '' : ` of ${progress.total}`;
    const line = progressBar(progress, this.#width, this.styles);
    this.#report(line, `progress ${progress.progress}${of}${saidBy(progress)}`);
  }

  /** Shows what a task does, until something else is shown. */
  say(message: string): void {
    const said = saidBy({ message });
    this.#report(cut(`…${said}`, this.#width), `progress${said}`);
  }

  /**
   * Shows what the command waits for, if it takes longer than a second; the progress that a server reports takes its place. Nothing without a
   * terminal.
   * @param what such as "Compiling"
   */
  async whileWaiting<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
    if (!this.#stream.isTTY || this.shell.env['TERM'] === 'dumb') return work();
    const began = this.clock.elapsed();
    const draw = (): void => {
      const seconds = Math.round((this.clock.elapsed() - began) / SECOND);
      if (this.#shown === '' || this.#isWaiting) {
        this.#isWaiting = true;
        this.#shown = this.styles.dim(`${what} … ${seconds} s`);
        this.#draw();
      }
      timer = this.clock.after(SECOND, draw);
    };
    let timer = this.clock.after(SECOND, draw);
    try {
      return await work();
    } finally {
      timer.close();
      if (this.#isWaiting) this.clear();
      this.#isWaiting = false;
    }
  }

  /** Shows a log message of the server. */
  log({ level, logger, data }: LogMessage): void {
    const name = logger === undefined ? level : `${level} ${visible(logger)}`;
    this.print(`${this.#dress(level)(`[${name}]`)} ${visible(logText(data))}`);
  }

  /** Prints a line above. */
  print(line: string): void {
    const erase = this.#shown === '' || this.#hidden ? '' : ERASE_LINE;
    show(this.#stream, `${erase}${line}\n`);
    this.#draw();
  }

  /** Removes the line while other code uses the terminal. */
  async hiddenWhile<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#shown !== '') show(this.#stream, ERASE_LINE);
    this.#hidden = true;
    try {
      return await work();
    } finally {
      this.#hidden = false;
      this.#draw();
    }
  }

  /** Removes the line for good. */
  clear(): void {
    if (this.#shown !== '') show(this.#stream, ERASE_LINE);
    this.#shown = '';
  }

  get #width(): number {
    return (this.#stream.columns || DEFAULT_WIDTH) - 1;
  }

  /** @param words for output that cannot be redrawn */
  #report(line: string, words: string): void {
    if (!this.#stream.isTTY) return this.print(words);
    this.#isWaiting = false;
    this.#shown = line;
    this.#draw();
  }

  #draw(): void {
    if (this.#shown !== '' && !this.#hidden) show(this.#stream, `${ERASE_LINE}${this.#shown}`);
  }

  #dress(level: string): (text: string) => string {
    if (/^(error|critical|alert|emergency)$/.test(level)) return this.styles.bad;
    return level === 'warning' ? this.styles.warn : this.styles.dim;
  }
}

/** Shows a line on stderr before work that blocks the thread, because nothing can be drawn meanwhile; only at a terminal. @returns removes it */
export function showBlocked({ stderr, errorStyles }: Shell, what: string): () => void {
  if (!stderr.isTTY) return () => undefined;
  show(stderr, errorStyles.dim(`${what} …`));
  return () => show(stderr, ERASE_LINE);
}

/** Shows a line on stderr while work blocks the thread. @param what such as "Compiling" */
export function whileBlocked<Result>(shell: Shell, what: string, work: () => Result): Result {
  const remove = showBlocked(shell, what);
  try {
    return work();
  } finally {
    remove();
  }
}

/** Structured loggers put their text under `message`; the other fields follow it. */
function logText(data: unknown): string {
  if (typeof data === 'string') return data;
  if (!isObject(data) || typeof data['message'] !== 'string') return JSON.stringify(data) ?? '';
  const { message, ...more } = data;
  const facts = Object.entries(more).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return [message, ...facts].join(' ');
}

/** A line with a bar if the total is known, cut to a width. */
export function progressBar(progress: ShownProgress, width: number, styles: Styles): string {
  const part = partOf(progress);
  const words = saidBy(progress);
  if (part === undefined) return cut(`… ${progress.progress}${words}`, width);
  const done = Math.round(part * CELLS);
  const percent = `${Math.round(part * 100)}`.padStart(3);
  const bar = `${styles.good('█'.repeat(done))}${styles.dim('░'.repeat(CELLS - done))}`;
  return `${bar} ${cut(`${percent} %${words}`, width - CELLS - 1)}`;
}

function saidBy({ message }: Pick<ShownProgress, 'message'>): string {
  return message === undefined ? '' : `  ${visible(message).replace(/\s+/g, ' ')}`;
}

function partOf({ progress, total }: ShownProgress): number | undefined {
  if (total === undefined || total <= 0) return undefined;
  return Math.min(1, Math.max(0, progress / total));
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const grapheme of graphemes(text)) {
    if (widthOf(kept + grapheme) >= width) break;
    kept += grapheme;
  }
  return `${kept}…`;
}
