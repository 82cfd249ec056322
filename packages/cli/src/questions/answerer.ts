/** Answers the questions of a server: from `--answer`, from the user at the terminal, or by declining. */
import { pathToFileURL } from 'node:url';
import { RpcError, type QuestionHandlers } from '@sigil-mcp/client';
import type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
  JsonObject,
} from '@sigil-mcp/protocol';
import { nearestNames } from '@sigil-mcp/base';
import { suggest } from '../arguments/find-unsaid';
import { CliFailure, wrongUsage } from '../failure';
import { interrupted, type Interruption } from '../terminal/interruption';
import type { StatusLine } from '../terminal/status-line';
import { answerForm, readForm, type FieldValue, type ShownField, type GivenAnswers } from './form';
import type { AskFields } from './missing-arguments';
import { Abandoned, TerminalQuestions } from './terminal-questions';
import type { Shell } from '../terminal/shell';

/** `--answer sampling=...` and `--answer url=accept` answer questions without a form. */
const SAMPLING = 'sampling';
const ADDRESS = 'url';

/** The protocol's error for a user who rejects sampling. */
export class SamplingRefused extends RpcError {
  constructor() {
    super({ code: -1, message: 'User rejected sampling request' });
  }
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

  /** The answers, for a client. */
  get handlers(): Required<QuestionHandlers> {
    return {
      onElicit: (form, { signal }) => this.#inTurn((terminal) => this.#answerForm(form, terminal), signal),
      onElicitUrl: (page, { signal }) => this.#inTurn((terminal) => this.#open(page, terminal), signal),
      onSample: (request, { signal }) => this.#inTurn((terminal) => this.#answerForModel(request, terminal), signal),
      onRoots: () => [{ uri: pathToFileURL(this.options.shell.cwd).href, name: 'current folder' }],
    };
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

  async #answerForm(
    { message, requestedSchema }: ElicitFormParams,
    terminal: TerminalQuestions | undefined,
  ): Promise<ElicitResult> {
    const fields = readForm(requestedSchema);
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

  async #open({ message, url }: ElicitUrlParams, terminal: TerminalQuestions | undefined): Promise<ElicitResult> {
    const [said] = this.options.answers[ADDRESS] ?? [];
    const asked = `The server asks: ${message} ${url}`;
    if (said !== undefined) return { action: /^(accept|yes|true)$/i.test(said) ? 'accept' : 'decline' };
    if (terminal) return { action: await terminal.address(message, url) };
    this.options.status.print(`${asked}\nDeclined: there is no terminal to ask at. Answer with --answer url=accept.`);
    return { action: 'decline' };
  }

  async #answerForModel(
    params: CreateMessageParams,
    terminal: TerminalQuestions | undefined,
  ): Promise<CreateMessageResult> {
    const [said] = this.options.answers[SAMPLING] ?? [];
    if (said !== undefined) return sampled(said);
    const text = describeSampling(params);
    if (terminal) {
      const answer = await terminal.sampling(text);
      if (answer !== undefined) return sampled(answer);
    } else {
      this.options.status.print(`The server asks a model:\n${text}\nDeclined: answer with --answer sampling=<text>.`);
    }
    throw new SamplingRefused();
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

interface AskedForm {
  readonly message: string;
  readonly fields: readonly ShownField[];
  /** The fields that have a value. */
  readonly known: Readonly<Record<string, FieldValue>>;
}

async function askForm(terminal: TerminalQuestions, { message, fields, known }: AskedForm): Promise<ElicitResult> {
  const answer = await terminal.form(message, fields, known);
  return typeof answer === 'object' ? accepted({ ...known, ...answer }) : { action: answer };
}

function accepted(content: JsonObject): ElicitResult {
  return { action: 'accept', content };
}

/** The messages for the model, as text. */
function describeSampling({ messages, systemPrompt }: CreateMessageParams): string {
  const system = systemPrompt === undefined ? [] : [`system: ${systemPrompt}`];
  return [...system, ...messages.map(({ role, content }) => `${role}: ${describeContent(content)}`)].join('\n');
}

/** A user's answer in the form of a model's. */
function sampled(text: string): CreateMessageResult {
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    model: 'a person at a terminal',
    stopReason: 'endTurn',
  };
}

function describeContent(content: CreateMessageParams['messages'][number]['content']): string {
  return content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
}
