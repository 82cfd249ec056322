/** What the threads of scripts and the server say to each other: texts and numbers alone. */

/** A script that is to be checked. */
export interface CheckRequest {
  readonly id: number;
  /** TypeScript: the body of an async function. */
  readonly code: string;
  /** Declarations of what the script may use. */
  readonly api: string;
}

/** Something that the compiler found wrong. Lines and columns count from 1. */
export interface CodeProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A script as JavaScript, or what is wrong with it. */
export interface CheckAnswer {
  readonly id: number;
  readonly script?: string;
  readonly problems?: readonly CodeProblem[];
}

/** What a script may use and say. */
interface RunLimits {
  /** Milliseconds of computing time. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
  /** Calls of tools and searches. */
  readonly calls: number;
  /** Calls of tools at the same time. */
  readonly parallel: number;
  /** Characters of the arguments of a call, as JSON. */
  readonly answer: number;
  /** Characters of the words of a search. */
  readonly words: number;
  /** Characters of the result as JSON, or of an error. */
  readonly result: number;
  /** Characters of the lines of the console together. */
  readonly console: number;
}

/** What a sandbox starts with. */
export interface SandboxData {
  /** QuickJS, compiled to a `WebAssembly.Module`. */
  readonly engine: object;
  /** JavaScript that defines `async function script()`. */
  readonly script: string;
  /** The tools that the script may call. */
  readonly names: readonly string[];
  /** The time that the script sees, in milliseconds since 1970. */
  readonly now: number;
  /** What random numbers are made of. */
  readonly seed: number;
  readonly limits: RunLimits;
}

/** From the server to a script: an answer to what it asked for. */
export interface Settled {
  readonly id: number;
  readonly ok: boolean;
  /** A value, or the message of an error, as JSON. */
  readonly json: string;
}

/** Which limit a script has reached. */
export type ScriptLimit = keyof RunLimits;

/** How a script ended. */
export type ScriptEnd =
  | { readonly kind: 'result'; /** Left out for undefined. */ readonly json?: string }
  | { readonly kind: 'error'; readonly message: string; /** The tool whose error it is. */ readonly tool?: string }
  | { readonly kind: 'limit'; readonly limit: ScriptLimit }
  /** It waits for what will never happen. */
  | { readonly kind: 'stuck' };

/** A script that has ended. */
export interface EndedScript {
  readonly end: ScriptEnd;
  readonly console: readonly string[];
}

/** What a thread says first: its libraries are loaded, and its time begins. */
export const READY = 'ready';

/** From a script to the server. */
export type FromSandbox =
  | typeof READY
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly json: string }
  | { readonly kind: 'search'; readonly id: number; readonly json: string }
  /** It computes nothing until something else is settled. */
  | { readonly kind: 'waiting'; /** How much was settled before. */ readonly settled: number }
  | ({ readonly kind: 'ended' } & EndedScript);

// What a script says, counted in its thread, and again in the server, which believes no count of a thread.

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
