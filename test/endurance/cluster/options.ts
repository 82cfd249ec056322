/** What is said on the command line: `npm run cluster -- --seconds 60 --seed 7 --chaos kills,cuts`. */
import { parseArgs } from 'node:util';
import { CHAOS, type ChaosName } from './chaos';
import type { PromiseName } from './promises';
import { PROXY_DEFECTS } from './proxy/round-robin-proxy';
import { WAYS, type WayName } from './rolling/strict-client';
import { STORE_DEFECTS, TOOL_DEFECTS, type ServerDefect } from './server/defect';

/** A defect on purpose. */
export type Defect = ServerDefect | (typeof PROXY_DEFECTS)[number];

/** How a cluster is played. */
export interface ClusterOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly processes: number;
  readonly chaos: readonly ChaosName[];
  /** Where sessions and streams are: in a Redis that all share, or in the memory of each process. */
  readonly stores: 'redis' | 'memory';
  /** Names of the actors that play; all where it is left out. */
  readonly actors?: readonly string[];
  /** The promise that is to be broken: the run ends when it is. What else a busy machine breaks before ends nothing. */
  readonly untilBroken?: PromiseName;
  /** Seconds after which whatever has not happened never will. */
  readonly patience: number;
  readonly defect: Defect | undefined;
  /** The file of the picture; none is drawn if it is left out. */
  readonly picture: string | undefined;
}

/** How a rolling restart is played. */
export interface RollingWords {
  readonly calls: number;
  /** All that this machine has if it is left out. */
  readonly way: WayName | undefined;
}

const DEFECTS: readonly Defect[] = [...TOOL_DEFECTS, ...STORE_DEFECTS, ...PROXY_DEFECTS];
const ALL = Object.keys(CHAOS) as ChaosName[];

/** What `--help` says. */
export const USAGE = `npm run cluster -- [--seconds 60] [--seed <number>] [--processes 3] [--patience 25] [--stores redis|memory]
  [--chaos none|${ALL.join(',')}] [--picture <file>.svg] [--defect ${DEFECTS.join('|')}]
npm run cluster -- --rolling [--calls 5000] [--way ${WAYS.join('|')}]`;

/** Reads the words of a rolling restart; undefined where none is asked for. @throws as `readOptions` */
export function readRolling(words: readonly string[]): RollingWords | undefined {
  if (!words.includes('--rolling')) return undefined;
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...words], options: { rolling: { type: 'boolean' }, calls: text, way: text } });
  return { calls: numberOf(values.calls, 5000), way: values.way === undefined ? undefined : oneOf(WAYS, values.way) };
}

/** Reads the words. @throws Error with what is wrong, in one sentence */
export function readOptions(words: readonly string[]): ClusterOptions {
  const text = { type: 'string' } as const;
  const names = { seconds: text, seed: text, processes: text, patience: text, stores: text, chaos: text };
  const { values } = parseArgs({ args: [...words], options: { ...names, picture: text, defect: text } });
  return {
    seconds: numberOf(values.seconds, 60),
    seed: numberOf(values.seed, Date.now() % 1_000_000),
    processes: numberOf(values.processes, 3),
    patience: numberOf(values.patience, 25),
    stores: oneOf(['redis', 'memory'] as const, values.stores ?? 'redis'),
    chaos: chaosOf(values.chaos),
    defect: values.defect === undefined ? undefined : oneOf(DEFECTS, values.defect),
    picture: values.picture,
  };
}

function numberOf(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? otherwise);
  if (!(value >= 0)) throw new Error(`${text} is no number.`);
  return value;
}

function chaosOf(text = ALL.join()): readonly ChaosName[] {
  return text === 'none' ? [] : text.split(',').map((name) => oneOf(ALL, name));
}

function oneOf<T extends string>(known: readonly T[], word: string): T {
  const found = known.find((each) => each === word);
  if (found === undefined) throw new Error(`${word} is none of ${known.join(', ')}.`);
  return found;
}
