/** The least that answers: nothing is looked up, nothing validated. The bytes are those of the server written by hand. */
import { OPENING, SERVER_META } from './bare-results.mjs';

/** @returns the answer, undefined to a notification */
export function floorAnswer({ id, method, params }) {
  if (id === undefined) return undefined;
  return { jsonrpc: '2.0', id, result: method === 'initialize' ? OPENING : sumOf(params) };
}

function sumOf({ arguments: { a, b }, _meta }) {
  const sum = a + b;
  const content = [{ type: 'text', text: String(sum) }];
  const structuredContent = { sum };
  return _meta === undefined
    ? { content, structuredContent }
    : { content, structuredContent, resultType: 'complete', _meta: SERVER_META };
}
