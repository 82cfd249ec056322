/** Notes the texts of one request of HTTP and of what answers it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { HttpSession } from './http-session';
import { EXCHANGE_HEADER } from './request-report';
import type { Tap, TappedHead, TappedText } from './tap';

/** One exchange under a tap. */
export interface TappedExchange {
  /** Notes a text. @param head undefined where it is known already */
  readonly note: (from: TappedText['from'], text: string | Buffer, head?: TappedHead) => void;
  /** The headers of the client, with the number of the exchange for the server. */
  readonly headers: IncomingHttpHeaders;
}

/** Notes nothing without a tap. @param number of the exchange, which no other has */
export function tapExchange(
  tap: Tap | undefined,
  session: HttpSession | undefined,
  { headers }: IncomingMessage,
  number: number,
): TappedExchange {
  if (!tap) return { note: () => undefined, headers };
  return {
    note: (from, text, head) => {
      if (text.length > 0) tap.note({ from, text, session: session?.record, exchange: number, head });
    },
    headers: { ...headers, [EXCHANGE_HEADER]: String(number) },
  };
}

/** The head of an answer. */
export function headOf({ statusCode, headers }: IncomingMessage): TappedHead {
  return { line: String(statusCode), headers };
}
