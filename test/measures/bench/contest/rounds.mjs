/** Contestants in turn, so that what else the machine does falls on all alike. */
import { median, quantile } from '../report.mjs';
import { HAND_WRITTEN, OFFICIAL, SIGIL, SIGIL_FAST_START, SIGIL_PARTS } from './contestants.mjs';

/** Calls over stdio. */
export const STDIO_AIMS = [{ name: SIGIL, than: HAND_WRITTEN, least: 0.95 }];

/** Milliseconds until a server with so many tools has answered, or the share of another's time. */
export const START_AIMS = new Map([
  [
    3,
    [
      { name: SIGIL, most: 160 },
      { name: SIGIL, than: OFFICIAL, most: 1 },
      { name: SIGIL_FAST_START, most: 110 },
    ],
  ],
  [
    1000,
    [
      { name: SIGIL, most: 350 },
      { name: SIGIL_FAST_START, most: 250 },
    ],
  ],
]);

/** KiB of resident memory for an open session, after the first ones. */
export const SESSION_AIM = { name: SIGIL, most: 6 };

/** Milliseconds until a client that starts `sigil dev` has its first answer. */
export const DEV_AIM = 1500;

/** More cores than that in other hands: the round is played again. */
const FOREIGN = 0.2;
const TRIES = 3;
/** V8 has compiled what is called so often; a slow contestant gets no more loads for that. */
const WARM_CALLS = 15_000;
const WARM_LOADS = 14;

/**
 * Plays all contestants in each round, in an order that changes.
 * @param {(contestant: object) => Promise<object>} play
 * @returns each contestant's name, and its figures round by round
 */
export async function playRounds(contestants, rounds, play) {
  const played = contestants.map(({ name }) => ({ name, rounds: [] }));
  for (let round = 0; round < rounds; round += 1)
    for (const index of orderOf(contestants.length, round))
      played[index].rounds.push(await quietest(() => play(contestants[index])));
  return played;
}

function orderOf(count, round) {
  const order = Array.from({ length: count }, (_, index) => (index + round) % count);
  return round % 2 === 0 ? order : order.reverse();
}

async function quietest(play) {
  let best;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const figures = await play();
    if (!(best?.foreign <= figures.foreign)) best = figures;
    if (!(best.foreign > FOREIGN)) break;
  }
  return best;
}

/** Plays until it becomes no faster. */
export async function warmUp(play) {
  let [best, calls, flat] = [0, 0, 0];
  for (let loads = 0; loads < WARM_LOADS && (flat < 2 || calls < WARM_CALLS); loads += 1) {
    const figures = await play();
    flat = figures.rate < best * 1.04 ? flat + 1 : 0;
    best = Math.max(best, figures.rate);
    calls += figures.calls;
  }
}

/** The middle of a figure over the rounds; not a number where there is none. */
export function middleOf(contestant, figure) {
  return median(contestant.rounds.map((round) => round[figure] ?? NaN));
}

/**
 * The share of another's figure, round by round.
 * @returns its middle and its quartiles
 */
export function shareOf(contestant, other, figure) {
  const shares = contestant.rounds.map((round, index) => round[figure] / other.rounds[index][figure]);
  return { middle: median(shares), lower: quantile(shares, 0.25), upper: quantile(shares, 0.75) };
}

/** Calls over HTTP: at least this share of another's in the same round. */
export function httpAims({ stream }) {
  if (stream) return [{ name: SIGIL, than: HAND_WRITTEN, least: 0.9 }];
  return [
    { name: SIGIL, than: HAND_WRITTEN, least: 0.97 },
    { name: SIGIL_PARTS, than: SIGIL, least: 0.9 },
  ];
}
