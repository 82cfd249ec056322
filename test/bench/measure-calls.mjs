/** Calls in a second, in interleaved rounds, so that what else the machine does falls on all alike. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileServer } from './compile-server.mjs';
import { median } from './median.mjs';
import { StdioProcess, calls, initializeLine } from './stdio-process.mjs';

const server = (name) => fileURLToPath(new URL(`./servers/${name}`, import.meta.url));
const EXPECTED = 'mild in Oslo';

export async function measureCalls({ rounds, seconds }) {
  const sigil = compileServer('sigil', readFileSync(server('sigil.ts'), 'utf8'));
  const contestants = [
    { name: 'bare loop', kind: 'handshake', command: [server('bare-loop.mjs')] },
    { name: 'bare loop, a write per answer', kind: 'handshake', command: [server('bare-loop.mjs'), '--plain'] },
    { name: 'Sigil', kind: 'handshake', command: [sigil] },
    { name: 'official SDK 1', kind: 'handshake', command: [server('official-sdk.mjs')] },
    { name: 'bare loop', kind: 'per request', command: [server('bare-loop.mjs')] },
    { name: 'Sigil', kind: 'per request', command: [sigil] },
  ].map((contestant) => ({ ...contestant, rates: [], clients: [] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of contestants) await play(contestant, seconds);
  }
  return contestants.map(({ name, kind, rates, clients }) => {
    const floor = contestants.find((other) => other.name === 'bare loop' && other.kind === kind);
    return { name, kind, rate: median(rates), share: median(rates) / median(floor.rates), client: median(clients) };
  });
}

async function play({ kind, command, rates, clients }, seconds) {
  const process = new StdioProcess(command);
  if (kind === 'handshake') await process.ask(initializeLine);
  const first = await process.ask(`{"jsonrpc":"2.0","id":1${calls[kind]}`);
  if (!first.includes(EXPECTED)) throw new Error(`${command.join(' ')} answered ${first}`);
  await process.load(calls[kind], { inFlight: 64, seconds: seconds / 2 });
  const { rate, client } = await process.load(calls[kind], { inFlight: 64, seconds });
  rates.push(rate);
  clients.push(client);
  await process.end();
}
