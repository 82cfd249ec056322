/** What is sent, as text around an id, and what a right answer has in it. */
import { ALONE } from './ways.mjs';

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
