/** Contestants in turn, so that what else the machine does falls on all alike. */

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
