/** The media types that a client sends and accepts. */
import type { RequestHeaders } from '@sigil-mcp/core';
import { refusal } from '../refusals/refusal';
import type { BodyCheck } from './check';
import { countHeader } from './count-header';

const BOTH = 'application/json, text/event-stream';

/** Refuses with 415 a POST other than JSON, and with 400 one with two Content-Type headers, because Node drops all but the first. */
export const checkContentType: BodyCheck = ({ headers, rawHeaders }) => {
  const header = headers['content-type'];
  if (countHeader(rawHeaders, 'content-type') > 1) throw refusal(400, 'The Content-Type header came more than once.');
  // The value that all clients of the protocol send.
  if (header === 'application/json') return;
  const type = mediaType(header);
  if (type !== 'application/json') {
    throw refusal(415, `The Content-Type must be application/json, not ${JSON.stringify(type.slice(0, 100))}.`);
  }
};

/**
 * Refuses with 406 a client that does not accept both JSON and event streams: the handler decides during the call which of them
 * it gets.
 */
export const checkAccept: BodyCheck = ({ headers }) => {
  const accept = textOf(headers['accept']);
  if (accept === BOTH) return;
  if (!accepts(accept, 'application/json') || !accepts(accept, 'text/event-stream')) {
    throw refusal(406, `The Accept header must name both media types: ${BOTH}.`);
  }
};

/** Refuses with 415 a compressed body: bodies are not decompressed. */
export const checkEncoding: BodyCheck = ({ headers }) => {
  const encoding = textOf(headers['content-encoding'], 'identity');
  if (encoding.toLowerCase() !== 'identity') {
    throw refusal(
      415,
      `The Content-Encoding ${JSON.stringify(encoding.slice(0, 100))} is not read here; send the body as it is.`,
      {
        'accept-encoding': 'identity',
      },
    );
  }
};

/** Refuses with 406 a GET for a stream that does not accept event streams. */
export const checkStreamAccepted: BodyCheck = ({ headers }) => {
  if (!accepts(textOf(headers['accept']), 'text/event-stream'))
    throw refusal(406, 'The Accept header must name text/event-stream.');
};

/** Whether an `Accept` header allows a type; a wildcard allows it too, a quality of zero does not. */
export function accepts(accept: string, type: string): boolean {
  const [family = ''] = type.split('/');
  return accept.split(',').some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return !isRefused && (name === type || name === `${family}/*` || name === '*/*');
  });
}

function mediaType(header: HeaderValue): string {
  const [type = ''] = textOf(header).split(';');
  return type.trim().toLowerCase();
}

type HeaderValue = RequestHeaders[string];

/** A header as one text. */
function textOf(header: HeaderValue, missing = ''): string {
  return typeof header === 'string' ? header : (header?.join(', ') ?? missing);
}
