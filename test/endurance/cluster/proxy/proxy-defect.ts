/** What may be wrong with the way to the cluster, so that it is known that it is seen. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Names of the defects. */
export const PROXY_DEFECTS = ['repeats', 'gaps', 'lost-sessions', 'kept-sessions', 'lost-cancellations'] as const;

/** A report of progress, with all that belongs to its event. */
const EVENT = /(?:^|\n\n)((?:[^\n]+\n)*data: [^\n]*notifications\/progress[^\n]*\n\n)/;
/** Every so manieth time. */
const SOMETIMES = 9;

/** One of them, at work. */
export class ProxyDefect {
  #times = 0;

  constructor(private readonly name: (typeof PROXY_DEFECTS)[number]) {}

  /** Answers a request itself, if the defect is that. */
  answers({ method, headers }: IncomingMessage, body: Buffer, answer: ServerResponse): boolean {
    const isSession = headers['mcp-session-id'] !== undefined;
    if (this.name === 'kept-sessions' && method === 'DELETE') return reply(answer, 204);
    if (this.name === 'lost-cancellations' && body.includes('notifications/cancelled')) return reply(answer, 202);
    if (this.name === 'lost-sessions' && isSession && method === 'POST' && this.#isTime()) return reply(answer, 404);
    return false;
  }

  /** What becomes of a piece of an event stream. */
  distort(chunk: Buffer): Buffer | string {
    if (this.name !== 'repeats' && this.name !== 'gaps') return chunk;
    const text = chunk.toString('utf8');
    const [, event] = EVENT.exec(text) ?? [];
    if (event === undefined || !this.#isTime()) return chunk;
    return text.replace(event, this.name === 'gaps' ? '' : `${event}${event}`);
  }

  #isTime(): boolean {
    return ++this.#times % SOMETIMES === 0;
  }
}

function reply(answer: ServerResponse, status: number): true {
  answer.writeHead(status).end();
  return true;
}
