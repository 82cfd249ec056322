/** The last way to answer: past the plugins and hooks of the app, for they may be what failed. */
import type { FastifyReply } from 'fastify';

/**
 * Answers with 500 if no response has begun, else breaks the connection off.
 * @param text a JSON-RPC message
 */
export function answerBare(reply: FastifyReply, text: string): void {
  const { raw } = reply;
  if (reply.sent || raw.headersSent) return void raw.destroy();
  reply.hijack();
  try {
    raw.writeHead(500, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
  } catch {
    raw.destroy();
  }
}
