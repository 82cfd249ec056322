/** How what a call costs the server grows: medians over shuffled rounds, and the line through them. */
import { fileURLToPath } from 'node:url';
import { nodeOnCore } from '../http/server-process.mjs';
import { median, quantile } from '../report.mjs';
import { allSeries, fitLine } from './charts.mjs';

/** Rounds are short here; this many for each that is asked for. */
const ROUNDS_EACH = 12;
const WARM_UP = 25;

/**
 * Takes microseconds of the server's CPU, which depend little on whatever else runs on this machine.
 * @returns series `{ chart, name, words, points: { x, y, noise }[], line }`, in the order of the charts
 */
export async function measureGrowth({ rounds }) {
  const job = { rounds: rounds * ROUNDS_EACH, warmUp: WARM_UP };
  const figures = {
    ...(await play('play-memory.mjs', job, 0)),
    ...(await play('play-http.mjs', job, 1)),
    ...(await play('play-instances.mjs', job, 1)),
  };
  return allSeries().map(({ chart, name, words, points: xs }) => {
    const points = xs.map((x) => pointOf(x, figures[`${chart.name} ${name} ${x}`]));
    return { chart, name, words, points, line: fitLine(points) };
  });
}

/** The noise of a median: how far it may be off, as the notches of a box plot say it. */
function pointOf(x, figures) {
  const spread = quantile(figures, 0.75) - quantile(figures, 0.25);
  return { x, y: median(figures), noise: (1.58 * spread) / Math.sqrt(figures.length) };
}

async function play(name, job, core) {
  const program = fileURLToPath(new URL(`./${name}`, import.meta.url));
  const child = nodeOnCore(core, [program, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data) => (text += data));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`Growth could not be measured: ${name} ended with ${code}.`);
  return JSON.parse(text);
}
