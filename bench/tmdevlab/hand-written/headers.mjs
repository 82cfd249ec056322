/** The checks of headers that the specification wants of a server on this machine. */

const REVISIONS = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']);
const HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @returns the status and the words of a refusal, or undefined */
export function wrongHeaders({ host = '', origin, accept = '', 'mcp-protocol-version': revision }) {
  const colon = host.lastIndexOf(':');
  if (!HOSTS.has(colon < 0 ? host : host.slice(0, colon))) return [421, 'Bad Host'];
  if (origin !== undefined && !isOwn(origin)) return [403, 'Bad Origin'];
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return [406, 'Not Acceptable'];
  return revision !== undefined && !REVISIONS.has(revision) ? [400, 'Bad version'] : undefined;
}

function isOwn(origin) {
  return URL.canParse(origin) && HOSTS.has(new URL(origin).hostname);
}

export function refuse(reply, [status, message], id = null) {
  return reply.code(status).send({ jsonrpc: '2.0', id, error: { code: -32000, message } });
}
