/** A JSON array of messages, for revisions with batches: one answer for all of it, on any transport. */
import { ProtocolError, writeError, type InboundBatch, type InboundMessage } from '@sigil-mcp/protocol';
import type { Exchange } from '../calls/conversation';
import { ExceededLimit } from '../errors/denial';
import type { MessageSource } from '../conversations/open-conversation';
import type { ClientLoad } from '../limits/client-load';
import type { WrittenAnswer } from './compiled-method';
import type { Kernel } from './kernel';
import { observedRefusal } from './observable-request';

/** Why a batch is not taken at all; undefined if it is: its conversation and all of its messages are of a revision with batches. */
export function batchRefusal(
  { messages, weight }: InboundBatch,
  { held, running }: MessageSource,
  kernel: Kernel,
): ProtocolError | undefined {
  const isTaken = held?.revision.batches && !messages.some((message) => kernel.conversations.standsAlone(message));
  if (isTaken) return overweight(running.load, weight, kernel);
  return new ProtocolError(
    'invalid-request',
    'Batches are not part of this protocol revision: send one message at a time.',
  );
}

/** Resolves to an answer for each message, in their order; undefined for what is not answered, and for what was cancelled. */
export async function answerBatch(
  { messages, weight: bytes }: InboundBatch,
  connection: MessageSource,
  { kernel, exchange }: { readonly kernel: Kernel; readonly exchange: Exchange },
): Promise<readonly (WrittenAnswer | undefined)[]> {
  const answers: (WrittenAnswer | undefined)[] = messages.map(() => undefined);
  // Those that wait for their turn are held as well as those that are answered.
  const { load } = connection.running;
  let waiting = 0;
  const count = (change: number): void => {
    waiting += change;
    kernel.context.account.add('calls', change);
    load.hold(change);
  };
  count(bytes);
  let room = kernel.context.limits.batchAnswer;
  const answerOne = async (message: InboundMessage): Promise<WrittenAnswer | undefined> => {
    // From now on it counts as a call.
    if (message.kind === 'request') count(-Math.min(message.weight, waiting));
    const answer = await answerMember(message, connection, { kernel, exchange });
    if (!answer) return undefined;
    // One that has no room takes none from the others.
    if (answer.text.length > room) return tooLong(message, connection, { kernel, exchange });
    room -= answer.text.length;
    return answer;
  };
  // As many hands as requests may run at the same time, and one list that all of them take from, in its order.
  const entries = messages.entries();
  const work = async (): Promise<void> => {
    for (const [index, message] of entries) answers[index] = await answerOne(message);
  };
  const hands = Math.min(kernel.context.limits.batchCalls, messages.length);
  try {
    await Promise.all(Array.from({ length: hands }, work));
    return answers;
  } finally {
    count(-waiting);
  }
}

/** The refusal of a batch that would exceed the memory limits; undefined if it fits. */
function overweight(load: ClientLoad, bytes: number, kernel: Kernel): ProtocolError | undefined {
  try {
    kernel.context.account.check(load, 'calls', bytes);
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
}

/** Stands for an answer that makes the array too long: a text of JavaScript has an end, and so has a client's patience. */
function tooLong(
  message: InboundMessage,
  { held }: MessageSource,
  { kernel, exchange }: { readonly kernel: Kernel; readonly exchange: Exchange },
): WrittenAnswer | undefined {
  if (!held) return undefined;
  const sentence = `The answers of this batch have more than ${kernel.context.limits.batchAnswer} characters (limits.batchAnswer): send the request by itself.`;
  const error = new ExceededLimit('internal-error', sentence, 'limits.batchAnswer');
  const written = held.revision.writeError(error);
  kernel.context.observers?.refused(observedRefusal({ error, written }, exchange));
  return { text: writeError('id' in message ? message.id : undefined, written) };
}

async function answerMember(
  message: InboundMessage,
  connection: MessageSource,
  { kernel, exchange }: { readonly kernel: Kernel; readonly exchange: Exchange },
): Promise<WrittenAnswer | undefined> {
  const { held } = connection;
  switch (message.kind) {
    case 'request': {
      if (message.method !== 'initialize') return kernel.answer(kernel.open(message, connection), exchange);
      const error = new ProtocolError('invalid-request', 'initialize must not be part of a batch.');
      return held && { text: writeError(message.id, held.revision.writeError(error)) };
    }
    case 'notification':
      if (held) kernel.notice(message, held);
      return undefined;
    case 'response':
      held?.lasting?.acceptResponse(message);
      return undefined;
    case 'invalid':
      kernel.context.observers?.unreadable(message.error, message.limit);
      return message.silent
        ? undefined
        : { text: writeError(message.id ?? held?.revision.unreadableId, message.error) };
  }
}
