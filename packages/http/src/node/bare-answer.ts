/** The last way to answer: without plugins and hooks of an app, which may have caused the failure. */
import type { ServerResponse } from 'node:http';

/**
 * Answers with 500 if no response has begun, else closes the connection.
 * @param text a JSON-RPC message
 */
export function answerBare(response: ServerResponse, text: string): void {
  if (response.headersSent) return void response.destroy();
  try {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    response.writeHead(500, headers).end(text);
  } catch {
    response.destroy();
  }
}
