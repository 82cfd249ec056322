/** Who is measured, and by what name. A program is told by its first argument what it is to be. */
import { fileURLToPath } from 'node:url';

const program = (name) => fileURLToPath(new URL(`../servers/${name}`, import.meta.url));

/** The least that Node can do, with the same bytes. */
export const FLOOR = 'floor';
/** What checks the same, and is no framework. */
export const HAND_WRITTEN = 'hand-written';
export const SIGIL = 'Sigil';
/** The same data through `toolResult`, with a text of its own. */
export const SIGIL_PARTS = 'Sigil, toolResult';
/** What `sigil build` makes of it. */
export const SIGIL_BUNDLED = 'Sigil, bundled';
/** The same with `--fast-start`: schemas and compiled code are stored beside the bundle. */
export const SIGIL_FAST_START = 'Sigil, --fast-start';
export const OFFICIAL = 'official SDK 2';

/** What starts a contestant: its program, and its order. */
export function wordsOf({ program, order }, how) {
  return [program, JSON.stringify({ ...order, ...how })];
}

/** Over HTTP. */
export const OVER_HTTP = [
  { name: FLOOR, program: program('floor-http.mjs') },
  { name: HAND_WRITTEN, program: program('hand-written-http.mjs') },
  { name: SIGIL, program: program('sigil-http.cjs') },
  { name: SIGIL_PARTS, program: program('sigil-http.cjs'), order: { parts: true } },
  { name: OFFICIAL, program: program('official-sdk-2-http.mjs') },
];

/** Over stdio. */
export const OVER_STDIO = [
  { name: FLOOR, program: program('floor-stdio.mjs') },
  { name: HAND_WRITTEN, program: program('hand-written-stdio.mjs') },
  { name: SIGIL, program: program('sigil-stdio.cjs') },
  { name: SIGIL_PARTS, program: program('sigil-stdio.cjs'), order: { parts: true } },
  { name: OFFICIAL, program: program('official-sdk-2-stdio.mjs') },
];

/**
 * Who starts.
 * @param {{ plain: string, fastStart: Record<number, string> }} bundles programs that were made before, the fast ones by their tools
 */
export function startersWith({ plain, fastStart }, tools) {
  const starters = OVER_STDIO.filter(({ name }) => name !== SIGIL_PARTS);
  return [...starters, { name: SIGIL_BUNDLED, program: plain }, { name: SIGIL_FAST_START, program: fastStart[tools] }];
}

/** How many tools the servers that start have. */
export const STARTED_TOOLS = [3, 1000];

/** The program of which the bundle is made. */
export const TO_BE_BUNDLED = program('sigil-stdio.cjs');
