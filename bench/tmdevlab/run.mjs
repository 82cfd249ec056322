/**
 * `npm run tmdevlab`: the rebuilt benchmark of TM Dev Lab on this machine. The server has the first core; the load, Redis and the API
 * share the second. `clients` measures the Sigil entry with each pair of clients instead; `--check` plays one iteration against each entry
 * and measures nothing; `--upstream <folder>` adds their own Node entry from a copy of their repository.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { say } from '../../test/measures/bench/report.mjs';
import { checkEntries } from './measure/check-entries.mjs';
import { AS_SENT, CLIENTS, ENTRIES, upstreamEntry } from './measure/entries.mjs';
import { playEntries } from './measure/play-entries.mjs';
import { profileEntries } from './measure/profile-entries.mjs';
import { startServices } from './measure/redis-and-api.mjs';
import { compileEntry, copyUpstream, installNodeEntry, sdkVersion } from './measure/set-up.mjs';
import { writeClients, writeEntries } from './measure/write-figures.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    upstream: { type: 'string' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '3' },
    users: { type: 'string', default: '50' },
    think: { type: 'string', default: '50' },
    only: { type: 'string' },
  },
});
const load = {
  users: Number(values.users),
  seconds: Number(values.seconds),
  warmUp: Number(values['warm-up']),
  think: Number(values.think),
};

// All that this process starts stays on the second core, unless it is given the first.
if (!values.check) spawnSync('taskset', ['-cp', '1', String(process.pid)], { stdio: 'ignore' });
compileEntry();
if (!values.check) installNodeEntry();
const services = await startServices();
try {
  process.exitCode = await play();
} finally {
  await services.stop();
}

async function play() {
  const { env } = services;
  if (values.check) return checkEntries([...ENTRIES, CLIENTS.at(-1), AS_SENT], env);
  const upstream = values.upstream === undefined ? [] : [upstreamEntry(copyUpstream(values.upstream))];
  const all = positionals.includes('clients') ? CLIENTS : [...upstream, ...ENTRIES];
  const entries = all.filter(({ name }) => values.only === undefined || name.includes(values.only));
  if (values.profile) return profileEntries(entries, env, load);
  const rounds = Number(values.rounds);
  const played = await playEntries(entries, env, { ...load, rounds });
  say(
    `\n${load.users} users, ${rounds} rounds of ${load.seconds} s, SDK ${sdkVersion()}, Node ${process.versions.node}`,
  );
  if (positionals.includes('clients')) writeClients(played);
  else writeEntries(played);
  return played.some(({ rounds: own }) => own.some(({ wrong }) => wrong > 0)) ? 1 : 0;
}
