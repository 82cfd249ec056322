/**
 * `npm run bench`: speed against what the project aims at. `--rounds <n>` and `--seconds <n>` (of each load) change how long it measures;
 * `calls`, `start` (both over stdio), `http`, `tokens` or `instances` (which needs a redis-server) measures only that. `stores` and
 * `growth` are measured where they are named; `growth --picture <file>` draws what it has measured, as an SVG.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureContest } from './contest/measure-contest.mjs';
import { writeCalls, writeHttp, writeStart } from './contest/write-contest.mjs';
import { drawGrowth } from './growth/draw-growth.mjs';
import { measureGrowth } from './growth/measure-growth.mjs';
import { sayGrowth } from './growth/charts.mjs';
import { measureInstances } from './instances/measure-instances.mjs';
import { judge, percent, say, writeTable } from './report.mjs';
import { measureStores } from './stores/measure-stores.mjs';
import { measureTokens } from './tokens/measure-tokens.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string' }, picture: { type: 'string' } },
});
const rounds = Number(values.rounds);
/** Many short loads in turn say more than few long ones. */
const contest = { rounds, seconds: Number(values.seconds ?? 0.7) };
const wants = (what) => positionals.length === 0 || positionals.includes(what);

// These take a minute or two each, the first a redis-server, too: they are measured where they are asked for.
if (positionals.includes('stores')) writeStores(await measureStores());
if (positionals.includes('growth')) writeGrowth(await measureGrowth({ rounds }), values.picture);

if (wants('calls')) writeCalls(await measureContest('calls', contest));
if (wants('start')) writeStart(await measureContest('start', contest));
if (wants('http')) writeHttp(await measureContest('http', contest));
if (wants('tokens')) writeTokens(await measureTokens({ rounds }));
if (wants('instances')) writeInstances(await measureInstances({ rounds, seconds: Number(values.seconds ?? 2) }));

/** @param aim the least share of the calls in memory */
function writeShares(calls, aim) {
  const rows = calls.map(({ name, rate, share, cost }) => [name, rate.toFixed(0), percent(share), cost.toFixed(1)]);
  writeTable(['sessions in', 'calls/s', 'of memory', 'CPU µs'], rows);
  const best = Math.max(...calls.slice(1).map(({ share }) => share));
  judge(`in Redis, with the better client: ${percent(best)} of the calls in memory`, best >= aim, percent(aim));
}

function writeInstances(figures) {
  if (!figures) return say('\nSeveral instances were not measured: there is no redis-server.');
  const { calls, streamed, hop, growth } = figures;
  say(
    `\ntools/call in a session, 64 connections, one instance, Redis on the core of the load (medians of ${rounds} rounds)`,
  );
  writeShares(calls, 0.9);
  say('\nthe same, answered with a stream of five messages and the result');
  writeShares(streamed, 0.75);
  say('\nfrom an answer to the next question, milliseconds');
  const times = [
    ['answered at the instance that asks', hop.same],
    ['answered at another one', hop.elsewhere],
  ].map(([what, { middle, late }]) => [what, middle.toFixed(2), late.toFixed(2)]);
  writeTable(['', 'p50', 'p99'], times);
  judge(`the way between two instances: ${hop.between.toFixed(2)} ms`, hop.between < 2, '2 ms');
  say('\ntools/call of 2026-07-28, 64 connections, loads and processes on all cores');
  writeTable(
    ['processes', 'calls/s'],
    growth.map(({ count, rate }) => [String(count), rate.toFixed(0)]),
  );
}

function writeTokens({ tools, rounds: played, calls, lists }) {
  say(
    `\nwhat a token adds to a call over HTTP, microseconds of the server's core (medians of ${played} shuffled rounds)`,
  );
  const rows = calls.map(({ conversation, what, alg, more, floor }) => [
    conversation,
    what,
    alg,
    more.median.toFixed(1),
    range(more),
    ...(floor ? [floor.median.toFixed(1), (more.median - floor.median).toFixed(1)] : ['', '']),
  ]);
  writeTable(['conversation', 'token', 'signed with', 'more', 'quartiles', 'bare signature', 'the rest'], rows);
  for (const { conversation, what, alg, more } of calls) {
    const aim = what === 'next use' ? 5 : 60;
    judge(`${conversation}, ${what}, ${alg}: ${more.median.toFixed(1)} µs more`, more.median <= aim, `${aim} µs`);
  }
  for (const { where, plain, filtered, more } of lists) {
    const difference = `${more.median.toFixed(1)} µs more, ${range(more)}`;
    const sentence = `${tools} tools listed ${where}: ${plain.toFixed(1)} µs, filtered ${filtered.toFixed(1)} µs (${difference})`;
    judge(sentence, more.median <= 5, '5 µs');
  }
}

function writeStores({ sizes, stream, commands, pulse }) {
  say('\nwhat an idle session is to the Redis that instances share, bytes');
  const rows = sizes.map(({ what, text, key, all }) => [what, ...[text, key, all].map((size) => size.toFixed(0))]);
  writeTable(['session', 'its record', 'its key', 'all that Redis holds for it'], rows);
  for (const { what, key, all } of sizes)
    judge(`${what}: ${Math.max(key, all).toFixed(0)} bytes`, Math.max(key, all) < 600, '600 bytes');
  say(`       a stream of four events, while it is kept: ${stream} bytes`);
  say('\nwhat clients do, and the commands that Redis is sent for that');
  writeTable(
    ['what', 'commands', 'in all'],
    commands.map(({ what, counts }) => [
      what,
      Object.entries(counts)
        .map(([name, count]) => (count === 1 ? name : `${count} ${name}`))
        .join(', '),
      String(Object.values(counts).reduce((sum, count) => sum + count, 0)),
    ]),
  );
  say(`       an instance to which nobody speaks: ${pulse.toFixed(1)} commands a second`);
}

function writeGrowth(series, picture) {
  say("\nhow costs grow, microseconds of the server's CPU (medians of shuffled rounds)");
  for (const chart of new Set(series.map((each) => each.chart))) {
    const own = series.filter((each) => each.chart === chart);
    const rows = own.map(({ words, points, ...rest }) => [
      words,
      sayGrowth({ points, ...rest }),
      ...chart.points.map((x) => points.find((point) => point.x === x)?.y.toFixed(1) ?? ''),
    ]);
    say('');
    writeTable([chart.title, '', ...chart.points.map(String)], rows);
  }
  if (picture) writeFileSync(picture, drawGrowth(series));
}

function range({ lower, upper }) {
  return `${lower.toFixed(1)} to ${upper.toFixed(1)}`;
}
