/** The body of a POST -> text -> message. */
import { isUtf8 } from 'node:buffer';
import {
  ERROR_CODES,
  parseMessage,
  type InboundBatch,
  type InboundMessage,
  type MessageLimits,
} from '@sigil-mcp/protocol';
import { Refusal } from '../refusals/refusal';

/** The valid contents of a body. */
export type BodyMessage = Exclude<InboundMessage, { kind: 'invalid' }> | InboundBatch;

/** Reads the message, or the batch, of a POST. Throws a `Refusal` with 400 if it is not UTF-8, JSON, or JSON-RPC. */
export function readBody(body: Uint8Array | undefined, limits: MessageLimits): BodyMessage {
  const message = parseMessage(readText(body), limits);
  if (message.kind === 'invalid') {
    const { id, error, limit } = message;
    throw new Refusal(400, error, { id, limit, isUnreadable: true });
  }
  return message;
}

/** Reads the text of a POST; empty without a body. Throws a `Refusal` with 400 if it is not UTF-8. */
export function readText(body: Uint8Array | undefined): string {
  if (body === undefined) return '';
  if (!isUtf8(body)) {
    const error = { code: ERROR_CODES['parse-error'], message: 'Parse error: the body is not UTF-8.' };
    throw new Refusal(400, error, { isUnreadable: true });
  }
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}
