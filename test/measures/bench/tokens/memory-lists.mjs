/**
 * Lists in memory, on the core of the servers: for each line that it reads it writes microseconds of one that is filtered, and of one that
 * is not. `node memory-lists.mjs '<json: tools, times>'`
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { median } from '../report.mjs';
import { makeServer } from './servers.mjs';
import { INITIALIZE } from './requests.mjs';

const { MemoryTransport } = createRequire(import.meta.url)('@sigil-mcp/core');
const { tools, times } = JSON.parse(process.argv[2] ?? '{}');
const REQUEST = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

async function openList(isFiltered) {
  const transport = new MemoryTransport();
  await makeServer({ tools, isFiltered }).listen(transport);
  let length = 0;
  const pipe = transport.connect((text) => (length = text.length));
  pipe.send(JSON.stringify(INITIALIZE));
  return () => {
    length = 0;
    pipe.send(REQUEST);
    if (length < tools) throw new Error('A list is not answered at once.');
  };
}

function timeOf(list) {
  const took = Array.from({ length: times }, () => {
    const started = performance.now();
    list();
    return (performance.now() - started) * 1000;
  });
  return median(took);
}

const lists = { plain: await openList(false), filtered: await openList(true) };
process.stdout.write('0\n');
createInterface({ input: process.stdin }).on('line', () => {
  const costs = { plain: timeOf(lists.plain), filtered: timeOf(lists.filtered) };
  process.stdout.write(`${JSON.stringify(costs)}\n`);
});
