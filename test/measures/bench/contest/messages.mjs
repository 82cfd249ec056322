/** What is sent, as text around an id, and what a right answer has in it. */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** On which ways calls are measured. */

export const SESSION = 'session';

export const HANDSHAKE = 'handshake';

/** A revision whose requests name it themselves. */
export const ALONE = '2026-07-28';

/** Over HTTP, each with 16 connections and with 64. */
export const HTTP_WAYS = [
  { conversation: SESSION, stream: false, tools: 3 },
  { conversation: ALONE, stream: false, tools: 3 },
  { conversation: SESSION, stream: true, tools: 3 },
  { conversation: SESSION, stream: false, tools: 1000 },
  { conversation: ALONE, stream: false, tools: 1000 },
];

export const CONNECTIONS = [16, 64];

/** Over stdio, calls that wait for their answers at a time. */
export const STDIO_WAYS = [HANDSHAKE, ALONE];

export const IN_FLIGHT = 64;

const CLIENT = { name: 'bench', version: '1.0.0' };
const OPENING = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT };
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const INITIALIZE = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: OPENING });
export const INITIALIZED = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

/** @returns the call of `add` with an id, and with numbers that no other call has */
export function callIn(conversation) {
  const meta = conversation === ALONE ? `,"_meta":${JSON.stringify(META)}` : '';
  return (id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"add","arguments":{"a":${id},"b":1}${meta}}}`;
}

/** What the answer to a call says; each server has its own text, but all have the same data. */
export function dataOf(id) {
  return `"structuredContent":{"sum":${id + 1}}`;
}

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

/** What a way is called. */
export function nameOf({ conversation, stream, tools, connections }) {
  return `HTTP ${stream ? 'SSE' : 'JSON'}, ${conversation}, ${tools} tools, ${connections} connections`;
}
