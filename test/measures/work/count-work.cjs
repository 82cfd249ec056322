/**
 * Counts the work of a call: how often functions of the packages are called, and how often a socket is written to. V8 counts calls
 * exactly, and without its optimiser none is left out; so the figures are the same on every machine.
 * Prints JSON, each figure for one call: { ways: { "way, tool": { total, writes } }, functions: { "core/dist/x.js name": [calls on each way] } }
 */
const { Session } = require('node:inspector/promises');
const { Socket } = require('node:net');
const { sep } = require('node:path');
const { fileURLToPath } = require('node:url');
const { TOOLS } = require('./server.cjs');
const { WAYS } = require('./ways.cjs');

const WARM = 20;
const CALLS = 100;

let writes = 0;
for (const name of ['_write', '_writev']) {
  const write = Socket.prototype[name];
  Socket.prototype[name] = function (...args) {
    // The client's socket is in this process, too; its remote side is the server's port.
    if (this.server) writes += 1;
    return write.apply(this, args);
  };
}

async function main() {
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  const counted = [];
  for (const [way, open] of Object.entries(WAYS)) {
    const { call, close } = await open();
    for (const tool of TOOLS)
      counted.push({ way: `${way}, ${tool}`, ...(await countCalls(inspector, () => call(tool), tool)) });
    await close();
  }
  const ways = Object.fromEntries(counted.map(({ way, total, writes }) => [way, { total, writes }]));
  const names = [...new Set(counted.flatMap(({ functions }) => Object.keys(functions)))].sort();
  const functions = Object.fromEntries(names.map((name) => [name, counted.map((one) => one.functions[name] ?? 0)]));
  process.stdout.write(JSON.stringify({ ways, functions }));
}

async function countCalls(inspector, call, tool) {
  for (let made = 0; made < WARM; made += 1) check(await call(), tool);
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await inspector.post('Profiler.takePreciseCoverage');
  writes = 0;
  for (let made = 0; made < CALLS; made += 1) check(await call(), tool);
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  await inspector.post('Profiler.stopPreciseCoverage');
  const functions = {};
  let total = 0;
  for (const { url, functions: found } of result) {
    const file = fileOf(url);
    if (file === undefined) continue;
    for (const { functionName, ranges } of found) {
      const calls = ranges[0].count / CALLS;
      if (calls === 0) continue;
      const name = `${file} ${functionName || '(nameless)'}`;
      functions[name] = round((functions[name] ?? 0) + calls);
      total += calls;
    }
  }
  return { total: round(total), writes: round(writes / CALLS), functions };
}

/** `core/dist/kernel/kernel.js` for a file of ours; undefined for all others. */
function fileOf(url) {
  if (!url.startsWith('file:')) return undefined;
  const [, file] = fileURLToPath(url).split(`${sep}packages${sep}`);
  return file?.replaceAll(sep, '/');
}

function check(answer, tool) {
  if (!answer.includes('"result"') || answer.includes('"isError":true'))
    throw new Error(`${tool} was answered with ${answer}`);
}

const round = (value) => Math.round(value * 100) / 100;

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
