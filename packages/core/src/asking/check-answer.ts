/** Answers of clients: read as their questions ask for them, at once or where they wait for a handler that runs later. */
import {
  ProtocolError,
  type FormSchema,
  type JsonObject,
  type Revision,
  type ServerMethod,
  type ServerRequest,
  type ServerResultOf,
} from '@sigil-mcp/protocol';
import { describeFailures, isObject } from '@sigil-mcp/base';
import type { FormShape } from '@sigil-mcp/schema';
import { wordsFor } from '../errors/catalogue';
import { InvalidAnswer } from '../errors/failures';
import type { AskingPolicy } from './questions';
import type { LiveQuestion } from './live-questions';

/** Reads the result of a question. @throws InvalidAnswer if it is not valid for that method */
export function readAnswer<M extends ServerMethod>(
  revision: Revision,
  request: ServerRequest<M>,
  { result, label }: { readonly result: JsonObject; readonly label: string },
): ServerResultOf<M> {
  try {
    return revision.readServerResult(request, result);
  } catch (error) {
    if (error instanceof ProtocolError)
      throw new InvalidAnswer(wordsFor('SIGIL_ANSWER_MALFORMED', { question: label, reason: error.message }));
    throw error;
  }
}

/** Reads what was filled into a form. @throws InvalidAnswer if it does not fit */
export async function readForm(shape: FormShape, content: unknown, message: string): Promise<unknown> {
  const reading = await shape.read(content ?? {});
  if (reading.ok) return reading.value;
  throw new InvalidAnswer(
    wordsFor('SIGIL_ANSWER_UNFIT', {
      question: JSON.stringify(message.slice(0, 80)),
      failures: describeFailures(reading.failures),
    }),
  );
}

/**
 * Checks an answer before it is taken for a question that was asked on behalf of a call which is not here: by its method, and for a form by
 * the schema that its client was shown. What only the author's class knows is found out by the handler.
 * @throws InvalidAnswer if it does not fit
 */
export async function checkAnswer(
  { request: { method, params }, label }: Pick<LiveQuestion, 'request' | 'label'>,
  answer: JsonObject,
  { revision, shapes }: { readonly revision: Revision; readonly shapes: AskingPolicy['shapes'] },
): Promise<void> {
  const read = <M extends ServerMethod>(asked: M) => {
    const request: ServerRequest<M> = { method: asked, params: revision.readServerRequest(asked, params) };
    return { asked: request.params, given: readAnswer(revision, request, { result: answer, label }) };
  };
  if (method !== 'elicitation/create') {
    // The server wrote the question: its method is one that asks.
    read(method as ServerMethod);
    return;
  }
  const { asked, given } = read(method);
  if (asked.mode === 'url' || given.action !== 'accept') return;
  const shape = shapes.form(asked.requestedSchema, { where: label, report: () => undefined });
  if (shape) await readForm(shape, withoutBlanks(asked.requestedSchema, given.content), asked.message);
}

/** A form sends an empty text for a field that was left empty. */
function withoutBlanks({ required = [] }: FormSchema, content: unknown): unknown {
  if (!isObject(content)) return content;
  return Object.fromEntries(Object.entries(content).filter(([name, value]) => value !== '' || required.includes(name)));
}
