/** The clocks around a load: of the wall, of this process, of the server and of the machine. */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/**
 * Starts them.
 * @param {number} pid of the server
 * @returns what stops them: calls a second, microseconds of the server's processor for each (on Linux), the share of a core that this
 * client took, and the cores that neither of them had
 */
export function startClocks(pid) {
  const [busy, server, own, started] = [machineTime(), processTime(pid), process.cpuUsage(), performance.now()];
  return (calls) => {
    const elapsed = performance.now() - started;
    const { user, system } = process.cpuUsage(own);
    const [mine, its] = [(user + system) / 1000, processTime(pid) - server];
    return {
      calls,
      rate: (calls / elapsed) * 1000,
      cost: (its / calls) * 1000,
      client: mine / elapsed,
      foreign: Math.max(0, (machineTime() - busy - mine - its) / elapsed),
    };
  };
}

/** Milliseconds of all threads of a process; not a number where the system does not tell. */
function processTime(pid) {
  const folder = `/proc/${pid}/task`;
  try {
    const times = readdirSync(folder).map((thread) => readFileSync(`${folder}/${thread}/schedstat`, 'utf8'));
    return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6;
  } catch {
    return NaN;
  }
}

/** Milliseconds in which the cores of this machine did anything. */
function machineTime() {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}
