/** The refusal of a message over HTTP: the status, the message, the requirement, and when to try again. */
import { isObject } from '@sigil-mcp/base';

/** How much of the body is read, in bytes, and for how long, in milliseconds: only one sentence is needed. */
const LONGEST_BODY = 64 * 1024;
const PATIENCE = 2_000;
/** How much of the sentence is shown. */
const LONGEST_WORDS = 300;

/** The answer to a refused message. */
export interface HttpRefusal {
  readonly status: number;
  /** The server's message; undefined if it has no readable text. */
  readonly words: string | undefined;
  /** Whether the body is a JSON-RPC error, so that the answer is one of an MCP server. */
  readonly isProtocolError: boolean;
  /** The requirement: the `WWW-Authenticate` header. */
  readonly challenge: string | undefined;
  /** The `Retry-After` header: seconds, or a date. */
  readonly retryAfter: string | undefined;
}

/** Reads a refusal. @returns it, and a response to pass on, because the body has been read */
export async function readRefusal(
  response: Response,
): Promise<{ readonly refusal: HttpRefusal; readonly response: Response }> {
  const { status, headers } = response;
  const body = await readBeginning(response.body);
  const type = headers.get('content-type') ?? '';
  const value = parsed(body);
  const refusal = {
    status,
    words: wordsOf(messageOf(value) ?? (/^text\/plain\b/i.test(type) ? body : '')),
    isProtocolError: isObject(value) && value['jsonrpc'] === '2.0' && isObject(value['error']),
    challenge: headers.get('www-authenticate') ?? undefined,
    retryAfter: headers.get('retry-after') ?? undefined,
  };
  return { refusal, response: new Response(body, response) };
}

async function readBeginning(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), PATIENCE);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let read = 0; read < LONGEST_BODY;) {
      const { done, value } = await reader.read();
      if (done) break;
      read += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The text up to here has to be enough.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return text;
}

/** A message as one line, without the dot at its end; undefined if it is empty. */
function wordsOf(text: string): string | undefined {
  const line = text.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
  if (line === '') return undefined;
  return line.length > LONGEST_WORDS ? `${line.slice(0, LONGEST_WORDS)}…` : line;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The message of a JSON-RPC error or of another object. */
function messageOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  const { error, error_description: described, message } = value;
  const said = [isObject(error) ? error['message'] : undefined, described, message, error];
  return said.find((one): one is string => typeof one === 'string');
}
