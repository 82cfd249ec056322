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

/** What a way is called. */
export function nameOf({ conversation, stream, tools, connections }) {
  return `HTTP ${stream ? 'SSE' : 'JSON'}, ${conversation}, ${tools} tools, ${connections} connections`;
}
