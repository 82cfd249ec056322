/** Processor time and memory of a process and its children, as Linux tells them. */
import { readFileSync } from 'node:fs';

/** Linux counts the time of processes in hundredths of a second. */
const TICK = 10;
const KIB = 1024;

/**
 * @param {number} pid of the first process
 * @returns milliseconds in user and system mode, and resident MiB, of all of them
 */
export function readProcessTree(pid) {
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
