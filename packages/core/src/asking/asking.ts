/** Asking the client on behalf of one call: from what a handler says to a question, and from an answer to what it gets. */
import { createHash, randomUUID } from 'node:crypto';
import {
  ProtocolError,
  weightOfValue,
  type ClientCapabilities,
  type FormSchema,
  type JsonObject,
  type JsonValue,
  type Method,
  type Revision,
  type Root,
  type ServerMethod,
  type ServerRequest,
  type ServerResultOf,
} from '@sigil-mcp/protocol';
import { DefinitionError, type DefinitionProblem } from '@sigil-mcp/base';
import { AskFailure } from '../errors/failures';
import { sigilError } from '../errors/catalogue';
import { isStandardSchema, type FormShape, type FormSource } from '@sigil-mcp/schema';
import { WEIGHTS } from '../limits/account';
import { isTimeLimit } from '../values/time-limit';
import {
  checkQuestionOptions,
  sampleParams,
  type AskOptions,
  type ElicitAnswer,
  type ElicitUrlAnswer,
  type SampleAnswer,
  type SampleMessage,
  type SampleOptions,
} from './ask-options';
import { readAnswer, readForm } from './check-answer';
import { digestOf, labelOf, type Question, type QuestionOutcome, isSuspension, type QuestionDigest } from './question';
import type { Questions, AskingPolicy } from './questions';
import type { StoredValue } from './call-memory';

/** What was asked and stored in one run of a handler, and of the calls that it runs. */
export class AskedBefore {
  /** The questions of the call, by their names within it. */
  readonly asked = new Map<string, QuestionDigest>();
  /** How often a question without a key was asked, by its name without a number. */
  readonly counts = new Map<string, number>();
  /** The answers by the keys that handlers passed: asking again under a key is the same question. */
  readonly answers = new Map<string, Promise<JsonObject>>();
  /** Running and stored results of `once`, by their keys. */
  readonly once = new Map<string, Promise<StoredValue>>();

  /** @param hold counts bytes that are held until the handler has ended; throws `Denial` if there is no room for them */
  constructor(readonly hold: (bytes: number) => void) {}
}

/** A question that is asked, for observers of the call. */
export interface AskedQuestion {
  readonly method: ServerMethod;
  readonly key: string;
  /** What they add is sent with it; undefined if it is not sent as a request. */
  readonly meta: Record<string, JsonValue> | undefined;
}

/** A call on whose behalf the client is asked. */
export interface CallThatAsks {
  readonly method: Method;
  /** The revision in which the client is asked. */
  readonly revision: Revision;
  /** The capabilities that the client declared. */
  readonly client: { readonly capabilities: ClientCapabilities };
  /** Called when the server begins to wait for the client. Call the function that it returns when the wait has ended. */
  waitForClient(question: AskedQuestion): (outcome: QuestionOutcome) => void;
  /** Learns which steps of `context.once` were run; undefined if nobody watches the call. */
  readonly observation?: { once(key: string, isKept: boolean): void } | undefined;
  /** Writes a line about the call to the server's log. */
  note(severity: 'info', message: string): void;
  /** Notifies the client that the work on a page that it opened is done. */
  tellElicitationDone(elicitationId: string): void;
}

/** All that questions may need of a client, in any revision: what is still missing, the revision does not have. */
const EVERY_CAPABILITY: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
};

/** The asking methods of one call, as its context offers them; made when the call asks for the first time. */
export class Asking {
  /** Called when the server waits for the client. */
  #waiting: Pick<CallThatAsks, 'waitForClient'>;
  /** What is put before the keys of questions and of `once`. */
  #scope = '';

  constructor(
    private readonly questions: Questions,
    private readonly policy: AskingPolicy,
    private readonly call: CallThatAsks,
    private readonly before: AskedBefore,
  ) {
    this.#waiting = call;
  }

  /**
   * Asks for this call on behalf of a call that it runs, and which waits, too.
   * @param scope keeps the keys of that call apart from those of others; they are those of this call if left out
   */
  within(waiting: Pick<CallThatAsks, 'waitForClient'>, scope?: string): Asking {
    const asking = new Asking(this.questions, this.policy, this.call, this.before);
    asking.#waiting = waiting;
    asking.#scope = scope === undefined ? this.#scope : `${this.#scope}${scope}/`;
    return asking;
  }

  async elicit<T>(form: FormSource | FormSchema, message: string, options: AskOptions = {}): Promise<ElicitAnswer<T>> {
    const shape = this.#shapeOf(form);
    const params = { mode: 'form', message, requestedSchema: shape.schema } as const;
    const { action, content } = await this.#ask({ method: 'elicitation/create', params }, options);
    if (action !== 'accept') return { action };
    const value = await readForm(shape, content, message);
    // The shape was compiled for this class or schema, or reads JSON for a form that is data.
    return { action, content: value as T };
  }

  async elicitUrl(url: string | URL, message: string, options: AskOptions = {}): Promise<ElicitUrlAnswer> {
    const elicitationId = randomUUID();
    const params = { mode: 'url', message, url: checkUrl(url), elicitationId } as const;
    const { action } = await this.#ask({ method: 'elicitation/create', params }, options);
    return { action, done: () => this.call.tellElicitationDone(elicitationId) };
  }

  async sample(prompt: string | readonly SampleMessage[], options: SampleOptions = {}): Promise<SampleAnswer> {
    const request = { method: 'sampling/createMessage', params: sampleParams(prompt, options) } as const;
    const answer = await this.#ask(request, options);
    const texts = answer.content.map((block) => (block.type === 'text' ? block.text : ''));
    return { ...answer, text: texts.join('') };
  }

  async roots(options: AskOptions = {}): Promise<readonly Root[]> {
    const { roots } = await this.#ask({ method: 'roots/list', params: {} }, options);
    return roots;
  }

  async once<T>(name: string, run: () => T | Promise<T>): Promise<T> {
    const key = this.#scope + name;
    const running = this.before.once.get(key) ?? this.#runOnce(key, run);
    this.before.once.set(key, running);
    const kept = await running.catch((error: unknown) => {
      this.before.once.delete(key);
      throw error;
    });
    // What was kept is what `run` gave, as JSON.
    return kept.value as T;
  }

  onceId(key: string): string {
    return createHash('sha256')
      .update(JSON.stringify([this.questions.callId, this.#scope + key]))
      .digest('base64url')
      .slice(0, 22);
  }

  async #runOnce(key: string, run: () => unknown): Promise<StoredValue> {
    const known = this.questions.recall(key);
    if (known) {
      this.call.observation?.once(key, true);
      return known;
    }
    const kept = asJson(await run(), key);
    this.before.hold(2 * key.length + weightOfValue(kept));
    await this.questions.keep(key, kept);
    this.call.observation?.once(key, false);
    return kept;
  }

  async #ask<M extends ServerMethod>(request: ServerRequest<M>, options: AskOptions): Promise<ServerResultOf<M>> {
    checkQuestionOptions(request.method, options);
    this.#checkReachable();
    const question = this.#questionOf(request, options);
    this.#checkCapabilities(question);
    const isKnown = options.key !== undefined && this.before.answers.has(question.key);
    const meta = !isKnown && this.questions.sends?.(question) ? question.meta : undefined;
    const goOn = this.#waiting.waitForClient({ method: request.method, key: question.key, meta });
    let outcome: QuestionOutcome = 'failed';
    try {
      const result = await (options.key === undefined ? this.questions.ask(question) : this.#askNamed(question));
      const read = readAnswer(this.call.revision, request, { result, label: question.label });
      outcome = outcomeOf(read);
      return read;
    } catch (error) {
      if (isSuspension(error)) outcome = 'pending';
      throw error;
    } finally {
      goOn(outcome);
    }
  }

  #checkReachable(): void {
    const { method, revision } = this.call;
    const reason =
      this.questions.isDetached || revision.mayAsk.has(method)
        ? this.questions.unreachable
        : `${method} is answered without asking the client.`;
    if (reason !== undefined) throw new AskFailure(reason, 'unreachable');
  }

  #askNamed(question: Question): Promise<JsonObject> {
    const answer = this.before.answers.get(question.key) ?? this.questions.ask(question);
    this.before.answers.set(question.key, answer);
    // What failed may be asked again.
    answer.catch(() => this.before.answers.delete(question.key));
    return answer;
  }

  #questionOf(request: ServerRequest, { key, timeout = this.policy.answerTimeout }: AskOptions): Question {
    if (!isTimeLimit(timeout)) throw sigilError('SIGIL_QUESTION_TIMEOUT', { timeout });
    const digest = digestOf(request);
    const label = labelOf(request);
    const named = key === undefined ? this.#deriveKey(request.method, digest) : this.#scope + key;
    const before = this.before.asked.get(named);
    if (before && before.digest !== digest)
      throw sigilError('SIGIL_QUESTION_KEY', { key: JSON.stringify(named), before: before.label, question: label });
    if (!before) this.before.hold(WEIGHTS.question);
    this.before.asked.set(named, { digest, label });
    return { key: named, digest, label, request, timeout, meta: {} };
  }

  /** A name for a question that the handler did not name. The same words asked again are another question. */
  #deriveKey(method: ServerMethod, digest: string): string {
    // Where the client works does not change with the asking.
    if (method === 'roots/list') return 'roots';
    const name = `${this.#scope}${method.slice(0, method.indexOf('/'))}-${digest.slice(0, 10)}`;
    const count = (this.before.counts.get(name) ?? 0) + 1;
    this.before.counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  }

  #checkCapabilities({ request, label }: Question): void {
    const { revision, client } = this.call;
    const missing = revision.missingCapabilities(request, client.capabilities);
    if (!missing) return;
    // Capabilities are JSON by their nature; their type just names the known ones.
    const requiredCapabilities = missing as JsonObject;
    const isUnknown = revision.missingCapabilities(request, EVERY_CAPABILITY) !== undefined;
    if (!isUnknown) this.#noteMissing(request.method, requiredCapabilities);
    const why = isUnknown ? `Protocol revision ${revision.version} does not have` : 'The client did not declare';
    throw new ProtocolError(
      'missing-client-capability',
      `${why} what ${label} needs: ${JSON.stringify(requiredCapabilities)}.`,
      { requiredCapabilities },
    );
  }

  /** For the author: the error goes to the client, unless the handler catches it. */
  #noteMissing(method: ServerMethod, required: JsonObject): void {
    this.call.note(
      'info',
      `${method} was not sent, because the client did not declare ${JSON.stringify(required)}. ` +
        'To answer such clients differently, check context.client.capabilities before the question.',
    );
  }

  #shapeOf(form: FormSource | FormSchema): FormShape {
    const problems: DefinitionProblem[] = [];
    const where = !isStandardSchema(form) && typeof form === 'function' ? `elicit(${form.name})` : 'elicit({ ... })';
    const shape = this.policy.shapes.form(form, { where, report: (problem) => problems.push(problem) });
    if (shape) return shape;
    throw new DefinitionError(problems);
  }
}

function outcomeOf(result: ServerResultOf<ServerMethod>): QuestionOutcome {
  return 'action' in result ? result.action : 'answered';
}

function asJson(value: unknown, key: string): StoredValue {
  try {
    const written = JSON.stringify(value) as string | undefined;
    // JSON.parse gives JSON.
    return written === undefined ? {} : { value: JSON.parse(written) as JsonValue };
  } catch (error) {
    throw sigilError('SIGIL_ONCE_RESULT', { key: JSON.stringify(key) }, { cause: error });
  }
}

/**
 * Checks the URL of a page before a user is asked to open it.
 * @returns the URL as text, as it travels
 * @throws SigilError for a URL that is not absolute, is neither `https` nor `http`, or has credentials in it
 */
function checkUrl(url: string | URL): string {
  const text = String(url);
  if (!URL.canParse(text)) throw sigilError('SIGIL_URL_NOT_ABSOLUTE', { url: JSON.stringify(text.slice(0, 200)) });
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') throw sigilError('SIGIL_URL_SCHEME', { scheme: protocol });
  if (username !== '' || password !== '') throw sigilError('SIGIL_URL_CREDENTIALS');
  return text;
}
