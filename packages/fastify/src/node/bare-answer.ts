/** The last way to answer: without plugins and hooks of the app, which may have caused the failure. */
import type { FastifyReply } from 'fastify';

/**
 * Answers with 500 if no response has begun, else closes the connection.
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
