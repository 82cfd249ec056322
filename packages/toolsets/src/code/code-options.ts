/** The options of `codeToolset`. */
import { SHARED_OPTIONS, type ToolsetOptions } from '../search-options';
import { membersOf, OPTION_RULES, wholeNumber, type OptionRules } from '@sigil-mcp/core/internal';

/** What scripts may use at most. */
export interface ScriptLimits {
  /** Milliseconds that a call may take, without the time in which users answer questions; 60,000 if left out. */
  readonly time?: number;
  /** Milliseconds of computing time of a script, without the tools that it calls; 2,000 if left out. */
  readonly cpu?: number;
  /** Milliseconds in which the compiler checks a script; 10,000 if left out. */
  readonly check?: number;
  /** Bytes of memory of a script; 64 MiB if left out. */
  readonly memory?: number;
  /** Calls of tools and searches; 100 if left out. */
  readonly calls?: number;
  /** Calls of tools at the same time, of one script: others wait; 8 if left out. */
  readonly parallel?: number;
  /** Scripts at the same time, each with a thread of its own: others wait; 8 if left out. */
  readonly scripts?: number;
  /** Scripts of one client over HTTP at the same time; half of `scripts` if left out, rounded up. */
  readonly scriptsPerClient?: number;
  /** Characters of a script; 50,000 if left out. */
  readonly code?: number;
  /** Characters of the result, as JSON; 100,000 if left out. */
  readonly result?: number;
  /** Characters of the console; 20,000 if left out. */
  readonly console?: number;
  /** Characters of what one tool answers a script, and of the arguments of a call, as JSON; 1,000,000 if left out. */
  readonly answer?: number;
}

/** The options of `codeToolset`. */
export interface CodeToolsetOptions extends ToolsetOptions {
  /** The name of the tool; `run_code` if left out. */
  readonly name?: string;
  /** What scripts may use; see there for what is left out. */
  readonly limits?: ScriptLimits;
}

/** The limits with their defaults. */
export type LimitsOfScripts = Required<ScriptLimits>;

const MIB = 1024 * 1024;

const DEFAULTS: LimitsOfScripts = {
  time: 60_000,
  cpu: 2000,
  check: 10_000,
  memory: 64 * MIB,
  calls: 100,
  parallel: 8,
  scripts: 8,
  scriptsPerClient: 4,
  code: 50_000,
  result: 100_000,
  console: 20_000,
  answer: 1_000_000,
};

/** Fills in what was left out. */
export function resolveCode({ name = 'run_code', limits = {} }: CodeToolsetOptions): {
  readonly name: string;
  readonly limits: LimitsOfScripts;
} {
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  const all = { ...DEFAULTS, ...given };
  return { name, limits: { ...all, scriptsPerClient: limits.scriptsPerClient ?? Math.ceil(all.scripts / 2) } };
}

const LIMITS: OptionRules = {
  ...Object.fromEntries(Object.keys(DEFAULTS).map((limit) => [limit, wholeNumber(1)])),
  memory: wholeNumber(MIB, 1024 * MIB),
};

/** The kinds of the options. */
export const CODE_OPTIONS: OptionRules = {
  ...SHARED_OPTIONS,
  name: OPTION_RULES.text,
  limits: membersOf(LIMITS),
};
