/** The handlers of the application for questions of a server, and the client's capabilities that follow from them. */
import { isObject, type MaybePromise } from '@sigil-mcp/base';
import {
  ERROR_CODES,
  ProtocolError,
  type ClientCapabilities,
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitFormParams,
  type ElicitResult,
  type ElicitUrlParams,
  type JsonObject,
  type JsonValue,
  type ListRootsResult,
  type Revision,
  type Root,
  type ServerMethod,
} from '@sigil-mcp/protocol';
import type { AnswerQuestion, Question } from '../connection/questions';
import { RpcError } from '../rpc-error';

/** What a handler knows besides the question. */
export interface QuestionContext {
  /** Aborted when the answer is no longer wanted: the request was cancelled, or the client closes. */
  readonly signal: AbortSignal;
}

/**
 * Answers questions of a server. The client declares a capability for each handler that it has. A handler that throws refuses the question.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 */
export interface QuestionHandlers {
  /**
   * Shows a form to the user. Fields that accepted content leaves out get the defaults of the form. Forms are refused if left out.
   * @example onElicit: async ({ message }) => ({ action: 'accept', content: { ok: await confirm(message) } })
   */
  readonly onElicit?: (form: ElicitFormParams, context: QuestionContext) => MaybePromise<ElicitResult>;
  /** Asks the user to open a page. Ask before you open it, and show its address. Pages are refused if left out. */
  readonly onElicitUrl?: (
    page: ElicitUrlParams,
    context: QuestionContext,
  ) => MaybePromise<Pick<ElicitResult, 'action'>>;
  /** Asks the model of the application for a message. Sampling is refused if left out. */
  readonly onSample?: (request: CreateMessageParams, context: QuestionContext) => MaybePromise<CreateMessageResult>;
  /** Lists the folders that the user works in, as `file:` URIs. Roots are refused if left out. */
  readonly onRoots?: (context: QuestionContext) => MaybePromise<readonly Root[]>;
}

/** Thrown where a question cannot be answered, and sent to the server: it does not fit the protocol, or no handler takes it. */
export class QuestionError extends RpcError {
  /** @param method of the question */
  constructor(
    readonly method: string,
    code: 'method-not-found' | 'invalid-params',
    message: string,
  ) {
    super({ code: ERROR_CODES[code], message });
  }
}

/** The capabilities that follow from the handlers. */
export function capabilitiesOf({ onElicit, onElicitUrl, onSample, onRoots }: QuestionHandlers): ClientCapabilities {
  const elicitation = { ...(onElicit && { form: {} }), ...(onElicitUrl && { url: {} }) };
  return {
    ...((onElicit ?? onElicitUrl) && { elicitation }),
    ...(onSample && { sampling: {} }),
    ...(onRoots && { roots: {} }),
  };
}

/** Answers questions, as they are written in a revision, with the handlers. */
export function answerWith(handlers: QuestionHandlers, revision: Revision): AnswerQuestion {
  return async ({ method, params, signal }) => {
    if (!isServerMethod(method)) throw noHandler(method);
    try {
      return await ANSWERS[method]({ params, signal, revision, handlers });
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      throw new QuestionError(method, 'invalid-params', error.message);
    }
  };
}

interface ReceivedQuestion extends Pick<Question, 'params' | 'signal'> {
  readonly revision: Revision;
  readonly handlers: QuestionHandlers;
}

const ANSWERS: Readonly<
  Record<ServerMethod, (asked: ReceivedQuestion) => Promise<ReturnType<Revision['writeServerResult']>>>
> = {
  'elicitation/create': async ({ params, signal, revision, handlers }) => {
    const asked = revision.readServerRequest('elicitation/create', params);
    return revision.writeServerResult('elicitation/create', await elicit(asked, { signal }, handlers));
  },
  'sampling/createMessage': async ({ params, signal, revision, handlers: { onSample } }) => {
    if (!onSample) throw noHandler('sampling/createMessage');
    const asked = revision.readServerRequest('sampling/createMessage', params);
    return revision.writeServerResult('sampling/createMessage', await onSample(asked, { signal }));
  },
  'roots/list': async ({ signal, revision, handlers: { onRoots } }) => {
    if (!onRoots) throw noHandler('roots/list');
    const result: ListRootsResult = { roots: [...(await onRoots({ signal }))] };
    return revision.writeServerResult('roots/list', result);
  },
};

async function elicit(
  asked: ElicitFormParams | ElicitUrlParams,
  context: QuestionContext,
  { onElicit, onElicitUrl }: QuestionHandlers,
): Promise<ElicitResult> {
  if (asked.mode === 'url') {
    if (!onElicitUrl) throw noHandler('elicitation/create of the mode "url"');
    return { action: (await onElicitUrl(asked, context)).action };
  }
  if (!onElicit) throw noHandler('elicitation/create of the mode "form"');
  const answer = await onElicit(asked, context);
  return answer.action === 'accept' ? { action: 'accept', content: withDefaults(asked, answer.content) } : answer;
}

/** @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation */
function withDefaults(
  { requestedSchema: { properties } }: ElicitFormParams,
  content: unknown,
): Record<string, JsonValue | undefined> {
  const given = isObject(content) ? (content as JsonObject) : {}; // the server checks its members
  const defaults = Object.entries(properties).flatMap(([name, field]): [string, JsonValue][] =>
    'default' in field && field.default !== undefined ? [[name, field.default as JsonValue]] : [],
  );
  return { ...Object.fromEntries(defaults), ...given };
}

function isServerMethod(method: string): method is ServerMethod {
  return Object.hasOwn(ANSWERS, method);
}

function noHandler(method: string): QuestionError {
  return new QuestionError(method, 'method-not-found', `This client has no handler for ${method}.`);
}
