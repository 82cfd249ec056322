/**
 * Fifty users for some seconds, of which the first ones do not count. `node load.mjs '<json job>'` prints one line of JSON: what `Counts`
 * reads, requests a second, and the processor time and memory of the server in that time.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { Counts } from './calls.mjs';
import { User } from './user.mjs';
import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second. */
const TICK = 10;

const KIB = 1024;

/** V8 has compiled what is called so often; a slow server does not get the time for it. */
const WARM_REQUESTS = 15_000;
const LONGEST_WARM_UP = 5;

/**
 * @typedef {{ port: number, pid: number, users: number, warmUp: number, warmRequests?: number, seconds: number, think: number }} Job times
 * in seconds, and the pause of users in milliseconds
 */

/** @param {Job} job */
async function run({ port, pid, users, warmUp, warmRequests = WARM_REQUESTS, seconds, think }) {
  // Users write into what is current, which is another one after the warm-up.
  const current = { counts: new Counts(), isOver: false };
  const counts = {
    count: (...counted) => current.counts.count(...counted),
    overhead: (isRight) => current.counts.overhead(isRight),
  };
  const loops = Array.from({ length: users }, (_, index) => loop(new User(index + 1, port, counts), current, think));
  await pause(warmUp * 1000);
  for (let more = 0; more < warmUp * LONGEST_WARM_UP && current.counts.counted < warmRequests; more += 1)
    await pause(1000);
  current.counts = new Counts();
  const [before, started, own] = [readProcessTree(pid), performance.now(), process.cpuUsage()];
  await pause(seconds * 1000);
  const [after, elapsed, { user, system }] = [readProcessTree(pid), performance.now() - started, process.cpuUsage(own)];
  const read = current.counts.read();
  current.isOver = true;
  await Promise.all(loops);
  const cpu = after.cpu - before.cpu;
  return {
    ...read,
    rate: (read.counted / elapsed) * 1000,
    cost: (cpu / read.counted) * 1000,
    busy: cpu / elapsed,
    load: (user + system) / 1000 / elapsed,
    resident: after.resident,
  };
}

async function loop(user, current, think) {
  while (!current.isOver) {
    await user.iterate();
    await pause(think);
  }
  user.close();
}

process.stdout.write(`${JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}')))}\n`);

/**
 * @param {number} pid of the first process
 * @returns milliseconds in user and system mode, and resident MiB, of all of them
 */
function readProcessTree(pid) {
  const read = [pid, ...descendants(pid)].map(readProcess);
  return {
    cpu: read.reduce((sum, { cpu }) => sum + cpu, 0),
    resident: read.reduce((sum, { resident }) => sum + resident, 0),
  };
}

function descendants(pid) {
  const children = readText(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [...children, ...children.flatMap(descendants)];
}

function readProcess(pid) {
  // The name of the program, in parentheses, may have blanks in it.
  const fields = readText(`/proc/${pid}/stat`).split(') ').at(-1).split(' ');
  const resident = /VmRSS:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1];
  return { cpu: (Number(fields[11]) + Number(fields[12])) * TICK, resident: Number(resident ?? 0) / KIB };
}

function readText(path) {
  return readFileSync(path, 'utf8');
}
