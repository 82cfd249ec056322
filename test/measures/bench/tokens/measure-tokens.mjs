/** What a token costs a call, and what a filter costs a list: differences within each round, and their quartiles over all rounds. */
import { fileURLToPath } from 'node:url';
import { nodeOnCore } from '../http/server-process.mjs';
import { quantile } from '../report.mjs';

const TOOLS = 1000;
/** Rounds are short here, so that each series is played next to those that it is compared with. */
const ROUNDS_EACH = 20;

/**
 * Takes the time of the server's core, which does not depend on whatever else runs on this machine.
 * @returns quartiles of microseconds: of calls `{ conversation, what, alg, more, floor }`, where `floor` is what the bare signature adds, of
 * lists `{ where, plain, filtered, more }`
 */
export async function measureTokens({ rounds }) {
  const played = await play({ rounds: rounds * ROUNDS_EACH, calls: 40, tools: TOOLS });
  const quartiles = (figureOf) => quartilesOf(played.rounds.map(figureOf));
  const between = (name, than) => quartiles(({ figures }) => figures[name] - figures[than]);
  const calls = played.series
    .filter(({ what }) => what !== undefined)
    .map(({ name, than, floor, ...words }) => ({
      ...words,
      more: between(name, than),
      ...(floor && { floor: between(floor, than) }),
    }));
  const lists = [
    ['in memory', ({ memory }) => memory.plain, ({ memory }) => memory.filtered],
    ['over HTTP', ({ figures }) => figures['list'], ({ figures }) => figures['filtered list']],
  ].map(([where, plain, filtered]) => ({
    where,
    plain: quartiles(plain).median,
    filtered: quartiles(filtered).median,
    more: quartiles((round) => filtered(round) - plain(round)),
  }));
  return { tools: TOOLS, rounds: played.rounds.length, calls, lists };
}

function quartilesOf(figures) {
  return { lower: quantile(figures, 0.25), median: quantile(figures, 0.5), upper: quantile(figures, 0.75) };
}

async function play(job) {
  const program = fileURLToPath(new URL('./play.mjs', import.meta.url));
  const child = nodeOnCore(1, [program, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data) => (text += data));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error('What a token costs could not be measured.');
  return JSON.parse(text);
}
