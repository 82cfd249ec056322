/** The servers under measurement: programs, and what their environment says. */
import { fileURLToPath } from 'node:url';

const programAt = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const SIGIL = programAt('sigil/dist/main.js');
const HAND_WRITTEN = programAt('hand-written/server.mjs');
const NODE_SDK = programAt('node-sdk/server.mjs');
const ONE_TIME = programAt('other-clients/one-time-clients.mjs');
const AGENT = new URL('../other-clients/set-agent.mjs', import.meta.url).href;

const PLAIN = { API_CLIENT: 'fetch', REDIS_PIPELINING: 'off' };
const TUNED = { API_CLIENT: 'pool', REDIS_PIPELINING: 'on' };
const SESSIONS = { SESSIONS: 'on' };
const STATELESS = { SESSIONS: 'off' };

const PLAIN_WORDS = 'fetch, plain ioredis';
const TUNED_WORDS = 'Pool, pipelining';

const entry = (name, program, clients, env) => ({
  name: `${name} (${clients})`,
  server: name,
  clients,
  program,
  env,
  hasSessions: env.SESSIONS === 'on',
  // Their Node entry checks no hosts, origins and revisions.
  checks: program !== NODE_SDK,
});

/** The entries of the comparison. */
export const ENTRIES = [
  entry('node-sdk', NODE_SDK, PLAIN_WORDS, {}),
  entry('node-sdk, one validator', NODE_SDK, PLAIN_WORDS, { VALIDATOR: 'shared' }),
  entry('sigil', SIGIL, PLAIN_WORDS, { ...PLAIN, ...SESSIONS }),
  entry('hand-written', HAND_WRITTEN, PLAIN_WORDS, { ...PLAIN, ...SESSIONS }),
  entry('sigil', SIGIL, TUNED_WORDS, { ...TUNED, ...SESSIONS }),
  entry('hand-written', HAND_WRITTEN, TUNED_WORDS, { ...TUNED, ...SESSIONS }),
  entry('sigil', SIGIL, PLAIN_WORDS, { ...PLAIN, ...STATELESS }),
  entry('hand-written', HAND_WRITTEN, PLAIN_WORDS, { ...PLAIN, ...STATELESS }),
  entry('sigil', SIGIL, TUNED_WORDS, { ...TUNED, ...STATELESS }),
  entry('hand-written', HAND_WRITTEN, TUNED_WORDS, { ...TUNED, ...STATELESS }),
];

/** The same entry with each pair of clients, for the guide; the first one is what the others are compared with. */
export const CLIENTS = [
  entry('sigil', SIGIL, PLAIN_WORDS, { ...PLAIN, ...STATELESS }),
  entry('sigil', SIGIL, 'fetch, pipelining', { ...PLAIN, REDIS_PIPELINING: 'on', ...STATELESS }),
  entry('sigil', SIGIL, 'Pool, plain ioredis', { ...PLAIN, API_CLIENT: 'pool', ...STATELESS }),
  entry('sigil', SIGIL, TUNED_WORDS, { ...TUNED, ...STATELESS }),
  { ...entry('sigil', SIGIL, 'fetch with an Agent', { ...PLAIN, ...STATELESS }), flags: ['--import', AGENT] },
  entry('sigil', ONE_TIME, 'new ones for each use', STATELESS),
];

/** The Sigil entry as its compose file starts it. */
export const AS_SENT = entry('sigil, two workers', SIGIL, TUNED_WORDS, { WEB_CONCURRENCY: '2', ...STATELESS });

/** @returns their own program, unchanged, as one worker */
export function upstreamEntry(program) {
  return { ...entry('their nodejs', program, PLAIN_WORDS, { WEB_CONCURRENCY: '1' }), port: 8083 };
}
