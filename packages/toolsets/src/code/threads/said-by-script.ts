/** What a script says, counted in its thread, and again in the server, which believes no count of a thread. */
import { READY, type EndedScript, type FromSandbox, type RunLimits, type ScriptLimit } from './messages';

/** The end of a console that is full, and of an error that was cut. */
export const [FULL, CUT] = ['… There is no room for more.', '…'];

/** Counts what one script says. */
export class SaidByScript {
  #calls = 0;
  #running = 0;
  #messages = 0;
  /** Each character of the words may be an escape in JSON, such as `\\u0000`. */
  readonly #longestSearch: number;

  constructor(
    private readonly limits: RunLimits,
    private readonly names: ReadonlySet<string>,
  ) {
    this.#longestSearch = 6 * limits.words + 100;
  }

  /** Counts a call. @returns the limit that it does not keep; undefined if it may be made */
  limitOfCall(kind: 'call' | 'search', length: number): ScriptLimit | undefined {
    this.#calls += 1;
    if (this.#calls > this.limits.calls) return 'calls';
    if (kind === 'search') return length > this.#longestSearch ? 'words' : undefined;
    return length > this.limits.answer ? 'answer' : undefined;
  }

  /** Counts a message of the thread. @returns the limit that the thread itself has not kept */
  limitOf(message: FromSandbox): ScriptLimit | undefined {
    this.#messages += 1;
    // It begins, makes its calls, waits at first and after each answer, and ends.
    if (this.#messages > 2 * this.limits.calls + 3) return 'calls';
    if (message === READY || message.kind === 'waiting') return undefined;
    if (message.kind === 'ended') return this.#limitOfEnd(message);
    const { kind, json } = message;
    if (kind === 'call' && !this.names.has(message.name)) return 'calls';
    if (kind === 'call' && (this.#running += 1) > this.limits.parallel) return 'parallel';
    return this.limitOfCall(kind, json.length);
  }

  /** A call was answered. */
  settle({ kind }: { readonly kind: 'call' | 'search' }): void {
    if (kind === 'call') this.#running -= 1;
  }

  #limitOfEnd({ end, console }: EndedScript): ScriptLimit | undefined {
    const written = console.reduce((sum, line) => sum + line.length + 1, 0);
    if (written > this.limits.console + FULL.length + 2) return 'console';
    const { result } = this.limits;
    if (end.kind === 'result') return (end.json?.length ?? 0) > result ? 'result' : undefined;
    if (end.kind !== 'error') return undefined;
    const isKnown = end.tool === undefined || this.names.has(end.tool);
    return isKnown && end.message.length <= result + CUT.length ? undefined : 'result';
  }
}

/** The message about a limit, for a script and its author. */
export function wordsForLimit(limit: ScriptLimit, limits: RunLimits): string {
  return {
    cpu: `The script computed for more than ${limits.cpu} ms (limits.cpu).`,
    memory: `The script needs more than ${limits.memory} bytes of memory (limits.memory).`,
    result: `The result has more than ${limits.result} characters of JSON (limits.result). Return the part that matters.`,
    console: `The console has more than ${limits.console} characters (limits.console).`,
    calls: `A script makes up to ${limits.calls} calls (limits.calls).`,
    parallel: `A script makes up to ${limits.parallel} calls at the same time (limits.parallel).`,
    answer: `Arguments have up to ${limits.answer} characters (limits.answer).`,
    words: `search() takes words of up to ${limits.words} characters.`,
  }[limit];
}
