/** What a client says when it is asked something, in each of the two ways of asking. */
import type { Message } from '../../../support/transcript';
import type { Schema } from './odd-values';
import type { Reply } from './conversation';
import { mutate } from './mutations';

interface FormSchema {
  readonly properties?: Readonly<Record<string, Schema & { readonly format?: string }>>;
}

/** A good answer to a question. */
function resultFor(method: unknown, params: unknown): object {
  switch (method) {
    case 'elicitation/create': {
      const { requestedSchema = {} } = (params ?? {}) as { requestedSchema?: FormSchema };
      const fields = Object.entries(requestedSchema.properties ?? {}).map(([name, field]) => [name, filled(field)]);
      return { action: 'accept', content: Object.fromEntries(fields) as object };
    }
    case 'sampling/createMessage':
      return { role: 'assistant', content: { type: 'text', text: 'something' }, model: 'fuzz', stopReason: 'endTurn' };
    case 'roots/list':
      return { roots: [{ uri: 'file:///fuzz', name: 'fuzz' }] };
    default:
      return {};
  }
}

function filled({ type, enum: values, oneOf, items, format }: Schema & { readonly format?: string }): unknown {
  if (values) return values[0];
  if (oneOf) return oneOf[0]?.const;
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 3;
    case 'array':
      return [items?.enum?.[0] ?? items?.anyOf?.[0]?.const ?? 'x'];
    default:
      return format === 'email' ? 'a@example.com' : 'text';
  }
}

/** Whether a message of the server wants an answer. */
export function isQuestion(message: Message): boolean {
  return typeof message['method'] === 'string' && 'id' in message;
}

/** The text of an answer to a question that came as a request; undefined for one that is not given yet. */
export function replyTo({ id, method, params }: Message, reply: Reply): string | undefined {
  if (reply === 'late') return undefined;
  return mutate({ jsonrpc: '2.0', id, result: resultFor(method, params) }, reply);
}

/** A client that builds its messages from objects sends nothing deeper or longer again, characters. */
const LONGEST_RETRY = 10_000;

/** Reads a request that may have to be sent again; undefined where it is not one that can be. */
export function readRetryable(text: string): Message | undefined {
  if (text.length > LONGEST_RETRY || !/"(tools\/call|prompts\/get|resources\/read)"/.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** The request again, with the answers to what its first answer asked; undefined where that asked nothing. */
export function retryOf(request: Message, { result }: Message, reply: Reply, id: string): string | undefined {
  const { resultType, inputRequests, requestState } = (result ?? {}) as {
    resultType?: string;
    inputRequests?: Readonly<Record<string, { method: string; params?: object }>>;
    requestState?: string;
  };
  if (resultType !== 'input_required') return undefined;
  const responses = Object.entries(inputRequests ?? {}).map(([key, { method, params }]) => [
    key,
    resultFor(method, params),
  ]);
  const inputResponses = Object.fromEntries(responses) as object;
  const params = {
    ...(request['params'] as object),
    inputResponses,
    ...(requestState !== undefined && { requestState }),
  };
  return mutate({ ...request, id, params }, reply === 'late' ? [] : reply);
}
