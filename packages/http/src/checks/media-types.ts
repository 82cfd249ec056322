/** The media types that a client sends and accepts. */
import type { RequestHeaders } from '@sigil-mcp/core';
import type { HttpRequest } from '../port';
import { refusal } from '../refusals/refusal';
import type { BodyCheck } from './check';
import { countHeader } from './repeated-headers';

const JSON_TYPE = 'application/json';
const STREAM = 'text/event-stream';
const BOTH = `${JSON_TYPE}, ${STREAM}`;

/** Refuses with 415 a POST other than JSON, and with 400 one with two Content-Type headers, because Node drops all but the first. */
export const checkContentType: BodyCheck = ({ headers, rawHeaders }) => {
  const header = headers['content-type'];
  if (countHeader(rawHeaders, 'content-type') > 1) throw refusal(400, 'The Content-Type header came more than once.');
  // The value that all clients of the protocol send.
  if (header === JSON_TYPE) return;
  const type = mediaType(header);
  if (type !== JSON_TYPE) {
    throw refusal(415, `The Content-Type must be application/json, not ${JSON.stringify(type.slice(0, 100))}.`);
  }
};

/** What the answer to a POST may be. */
export type AnswerType = 'json or stream' | 'json' | 'stream';

/**
 * What a client accepts as the answer to a POST; undefined if it is nothing that is sent here. Without the header it accepts everything.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-12.5.1
 */
export function answerTypeOf({ headers }: Pick<HttpRequest, 'headers'>): AnswerType | undefined {
  const accept = textOf(headers['accept']);
  if (accept === BOTH || accept.trim() === '') return 'json or stream';
  const isStream = accepts(accept, STREAM);
  if (!accepts(accept, JSON_TYPE)) return isStream ? 'stream' : undefined;
  return isStream ? 'json or stream' : 'json';
}

/** Refuses with 406 a client that accepts neither JSON nor event streams. Answers to the others are what they accept. */
export const checkAccept: BodyCheck = (request) => {
  if (answerTypeOf(request) === undefined)
    throw refusal(406, `The Accept header must name ${JSON_TYPE} or ${STREAM}, or better both.`);
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

/** Refuses with 406 a request for a stream whose client does not accept event streams. */
export const checkStreamAccepted: BodyCheck = (request) => {
  if (!answerTypeOf(request)?.endsWith('stream')) throw refusal(406, `The Accept header must name ${STREAM}.`);
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
