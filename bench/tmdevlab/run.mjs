/**
 * `npm run tmdevlab`: the rebuilt benchmark of TM Dev Lab on this machine. The server has the first core; the load, Redis and the API
 * share the second. `clients` measures the Sigil entry with each pair of clients instead; `--check` plays one iteration against each entry
 * and measures nothing; `--upstream <folder>` adds their own Node entry from a copy of their repository.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { say } from '../../test/measures/bench/report.mjs';
import { AS_SENT, CLIENTS, ENTRIES, upstreamEntry } from './measure/entries.mjs';
import { playEntries } from './measure/play-entries.mjs';
import { profileEntries } from './measure/profile-entries.mjs';
import { startServices } from './measure/redis-and-api.mjs';
import { compileEntry, copyUpstream, installNodeEntry, sdkVersion } from './measure/set-up.mjs';
import { writeClients, writeEntries } from './measure/write-figures.mjs';
import { User } from './load/user.mjs';
import { startEntry } from './measure/served-entry.mjs';
import { request } from 'node:http';
import { messageIn, Counts } from './load/calls.mjs';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The first revision with a header for the revision is 2025-06-18. */
const OPENING = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0' } },
};

const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

const WRONG_CALL = {
  jsonrpc: '2.0',
  id: 3,
  method: 'tools/call',
  params: { name: 'search_products', arguments: { limit: 'many' } },
};

/** Requests of an iteration: three for each of four conversations, and one more to end a session. */
const ON_WIRE = { sessions: 16, none: 12 };

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

/** @returns the exit code: 1 if one of them does not */
async function checkEntries(entries, env) {
  let failed = 0;
  for (const entry of entries) {
    const problem = await checkEntry(entry, env);
    if (problem !== undefined) failed += 1;
    say(
      `${problem === undefined ? 'ok    ' : 'FAILED'} ${nameOf(entry)}${problem === undefined ? '' : `: ${problem}`}`,
    );
  }
  return failed === 0 ? 0 : 1;
}

/** @returns what is wrong */
async function checkEntry(entry, env) {
  const server = await startEntry(entry, env);
  try {
    const counts = new Counts();
    const user = new User(42, server.port, counts);
    await user.iterate();
    user.close();
    const { onWire, wrong } = counts.read();
    const expected = entry.hasSessions ? ON_WIRE.sessions : ON_WIRE.none;
    if (wrong > 0) return `${wrong} wrong answers`;
    if (onWire !== expected) return `${onWire} requests in place of ${expected}`;
    const missing = entry.checks ? await missingRefusals(server.port, entry.hasSessions) : [];
    return missing.length === 0 ? undefined : `does not refuse ${missing.join(', ')}`;
  } finally {
    await server.stop();
  }
}

function nameOf({ name, hasSessions }) {
  return `${name}, ${hasSessions ? 'sessions' : 'no sessions'}`;
}

/** @returns the refusals that a server should give and does not */
async function missingRefusals(port, hasSessions) {
  const opened = await post(port, {}, OPENING);
  const session = hasSessions ? { 'mcp-session-id': opened.headers['mcp-session-id'] } : {};
  const expected = [
    ['a strange Host', { ...session, host: 'evil.example' }, 421],
    ['a strange Origin', { ...session, origin: 'https://evil.example' }, 403],
    ['a client that accepts neither JSON nor event streams', { ...session, accept: 'text/html' }, 406],
    ['an unknown revision', { ...session, 'mcp-protocol-version': '1999-01-01' }, 400],
    ...(hasSessions ? [['an unknown session', { 'mcp-session-id': 'unknown' }, 404]] : []),
  ];
  const missing = [];
  for (const [what, headers, status] of expected)
    if ((await post(port, headers, LIST)).status !== status) missing.push(what);
  const { message } = await post(port, session, WRONG_CALL);
  if (message?.result?.isError !== true && message?.error === undefined) missing.push('wrong arguments');
  return missing;
}

function post(port, headers, message) {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers: { ...HEADERS, ...headers } };
    const sent = request(options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status, headers: received } = response;
        resolve({ status, headers: received, message: messageIn(Buffer.concat(chunks)) });
      });
    });
    sent.on('error', reject).end(JSON.stringify(message));
  });
}
