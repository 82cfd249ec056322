/** Answers the questions of a server: from `--answer`, from the user at the terminal, or by declining. */
import { pathToFileURL } from 'node:url';
import type { Question } from '@sigil-mcp/client/wire';
import type { JsonObject } from '@sigil-mcp/protocol';
import { nearestNames } from '@sigil-mcp/core/adapter';
import { suggest } from '../arguments/suggest';
import { CliFailure, protocolError, wrongUsage } from '../failure';
import { interrupted, type Interruption } from '../terminal/interruption';
import type {
  Client,
  ElicitRequest,
  ElicitResult,
  OfficialClient,
  SamplingRequest,
  SamplingResult,
} from '../official-client';
import type { StatusLine } from '../terminal/status-line';
import { answerForm, readForm, type ShownField, type GivenAnswers } from './form';
import type { AskFields } from './missing-arguments';
import { Abandoned, TerminalQuestions } from './terminal-questions';
import type { Shell } from '../terminal/shell';

/** `--answer sampling=...` and `--answer url=accept` answer questions without a form. */
const SAMPLING = 'sampling';
const ADDRESS = 'url';

/** The protocol's error for a user who rejects sampling. */
export class SamplingRefused extends Error {
  readonly code = -1;
}

/** The answers from the command line, and the terminal and interruption of the command. */
export interface AnswererOptions {
  readonly shell: Shell;
  /** The answers by the names of their fields. */
  readonly answers: Readonly<Record<string, readonly string[]>>;
  readonly status: StatusLine;
  readonly interruption: Interruption;
}

/** Answers the questions of a server for one command, one after the other. */
export class Answerer {
  #last: Promise<unknown> = Promise.resolve();
  /** The names of the fields of all forms so far. */
  readonly #fields = new Set<string>();
  readonly #terminal: TerminalQuestions | undefined;

  constructor(private readonly options: AnswererOptions) {
    const { shell, interruption } = options;
    this.#terminal = shell.canAsk ? new TerminalQuestions(shell, interruption.signal) : undefined;
  }

  /** Shows the address of a sign-in, and opens it; undefined without a terminal. */
  get visit(): ((address: URL) => Promise<void>) | undefined {
    const terminal = this.#terminal;
    if (!terminal) return undefined;
    return (address) => this.#inTurn(() => terminal.signIn(address));
  }

  /** Asks the user for arguments; undefined without a terminal. */
  get ask(): AskFields | undefined {
    const terminal = this.#terminal;
    return terminal && ((fields) => this.#inTurn(() => terminal.fill(fields)));
  }

  /** Mentions answers that no form had a field for, if there was a form. */
  warnOfUnused(): void {
    const unused = this.#unused();
    if (this.#fields.size === 0 || unused.length === 0) return;
    const { status } = this.options;
    const fields = [...this.#fields].join(', ');
    status.print(status.styles.warn(`No form had a field ${unused.join(' or ')}; the fields were: ${fields}.`));
  }

  /** Registers the answers at a client. */
  prepare(client: Client): void {
    client.setRequestHandler('elicitation/create', ({ params }) => this.#elicit(params));
    client.setRequestHandler('sampling/createMessage', ({ params }) => this.#sample(params));
    client.setRequestHandler('roots/list', () => currentFolder(this.options.shell));
  }

  /** Answers a question that did not come through the client. @throws CliFailure if it does not fit the protocol */
  async answer({ method, params, signal }: Question, { isSpecType }: OfficialClient): Promise<JsonObject> {
    const request: unknown = { method, params };
    // Answers are JSON.
    if (isSpecType.ElicitRequest(request)) return (await this.#elicit(request.params, signal)) as JsonObject;
    if (isSpecType.CreateMessageRequest(request)) return (await this.#sample(request.params, signal)) as JsonObject;
    if (method === 'roots/list') return currentFolder(this.options.shell);
    throw protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: `The question ${method} cannot be read.` });
  }

  /** One question after the other. @param signal withdraws it */
  async #inTurn<Answer>(
    ask: (terminal: TerminalQuestions | undefined) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> {
    const { shell, status, interruption } = this.options;
    const terminal =
      this.#terminal && signal
        ? new TerminalQuestions(shell, AbortSignal.any([interruption.signal, signal]))
        : this.#terminal;
    const answer = this.#last.then(() => status.hiddenWhile(() => ask(terminal)));
    this.#last = answer.catch(() => undefined);
    return answer.catch((error: unknown) => {
      if (signal?.aborted) throw error;
      return this.#giveUp(error);
    });
  }

  #elicit(params: ElicitRequest['params'], signal?: AbortSignal): Promise<ElicitResult> {
    return this.#inTurn((terminal) => this.#answerForm(params, terminal), signal);
  }

  #sample(params: SamplingRequest['params'], signal?: AbortSignal): Promise<SamplingResult> {
    return this.#inTurn((terminal) => this.#answerForModel(params, terminal), signal);
  }

  async #answerForm(params: ElicitRequest['params'], terminal: TerminalQuestions | undefined): Promise<ElicitResult> {
    const { message } = params;
    if ('url' in params) return this.#open(message, params.url, terminal);
    const fields = readForm(params.requestedSchema);
    const given = answerForm(fields, this.options.answers);
    this.#refuseWrongNames(fields, given);
    if (given.missing.length === 0 && (given.used || fields.length === 0)) return accepted(given.content);
    if (terminal) return askForm(terminal, { message, fields, known: given.content });
    return this.#decline(message, given.missing.length > 0 ? given.missing : fields.map(({ name }) => name));
  }

  /**
   * An answer may be for a later form. It is wrong if it is similar to a field of this form, or if this form lacks an answer.
   * @throws CliFailure for a wrong name
   */
  #refuseWrongNames(fields: readonly ShownField[], { missing, used }: GivenAnswers): void {
    const names = fields.map(({ name }) => name);
    for (const name of names) this.#fields.add(name);
    const isOpen = missing.length > 0 || !used;
    const wrong = this.#unused().find((name) => fields.length > 0 && (isOpen || nearestNames(name, names).length > 0));
    if (wrong === undefined) return;
    throw wrongUsage('SIGIL_CLI_ANSWER_FIELD', { name: wrong, suggestion: suggest(wrong, names) });
  }

  #unused(): string[] {
    const names = Object.keys(this.options.answers);
    return names.filter((name) => name !== SAMPLING && name !== ADDRESS && !this.#fields.has(name));
  }

  async #open(message: string, address: string, terminal: TerminalQuestions | undefined): Promise<ElicitResult> {
    const [said] = this.options.answers[ADDRESS] ?? [];
    const asked = `The server asks: ${message} ${address}`;
    if (said !== undefined) return { action: /^(accept|yes|true)$/i.test(said) ? 'accept' : 'decline' };
    if (terminal) return { action: await terminal.address(message, address) };
    this.options.status.print(`${asked}\nDeclined: there is no terminal to ask at. Answer with --answer url=accept.`);
    return { action: 'decline' };
  }

  async #answerForModel(
    params: SamplingRequest['params'],
    terminal: TerminalQuestions | undefined,
  ): Promise<SamplingResult> {
    const [said] = this.options.answers[SAMPLING] ?? [];
    if (said !== undefined) return sampled(said);
    const text = describeSampling(params);
    if (terminal) {
      const answer = await terminal.sampling(text);
      if (answer !== undefined) return sampled(answer);
    } else {
      this.options.status.print(`The server asks a model:\n${text}\nDeclined: answer with --answer sampling=<text>.`);
    }
    throw new SamplingRefused('User rejected sampling request');
  }

  #decline(message: string, missing: readonly string[]): ElicitResult {
    const wanted = missing.map((name) => `--answer ${name}=<value>`).join(' ');
    this.options.status.print(
      `The server asks: ${message}\nDeclined: there is no terminal to ask at. Answer with ${wanted}.`,
    );
    return { action: 'decline' };
  }

  /** A wrong `--answer` and Ctrl-C end the command; the reason need not be sent to the server. */
  #giveUp(error: unknown): never {
    if (error instanceof CliFailure) this.options.interruption.interrupt(error);
    else if (error instanceof Abandoned) this.options.interruption.interrupt(interrupted());
    throw error;
  }
}

type Content = NonNullable<ElicitResult['content']>;

interface AskedForm {
  readonly message: string;
  readonly fields: readonly ShownField[];
  /** The fields that have a value. */
  readonly known: Content;
}

async function askForm(terminal: TerminalQuestions, { message, fields, known }: AskedForm): Promise<ElicitResult> {
  const answer = await terminal.form(message, fields, known);
  return typeof answer === 'object' ? accepted({ ...known, ...answer }) : { action: answer };
}

function currentFolder({ cwd }: Shell): { roots: { uri: string; name: string }[] } {
  return { roots: [{ uri: pathToFileURL(cwd).href, name: 'current folder' }] };
}

function accepted(content: Content): ElicitResult {
  return { action: 'accept', content };
}

/** The messages for the model, as text. */
function describeSampling({ messages, systemPrompt }: SamplingRequest['params']): string {
  const system = systemPrompt === undefined ? [] : [`system: ${systemPrompt}`];
  return [...system, ...messages.map(({ role, content }) => `${role}: ${describeContent(content)}`)].join('\n');
}

/** A user's answer in the form of a model's. */
function sampled(text: string): SamplingResult {
  return { role: 'assistant', content: { type: 'text', text }, model: 'a person at a terminal', stopReason: 'endTurn' };
}

function describeContent(content: SamplingRequest['params']['messages'][number]['content']): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
}
