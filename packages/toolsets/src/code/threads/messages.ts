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
export interface RunLimits {
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
