/** The options and the answers of the questions that a handler asks. */
import { OPTION_RULES, requireOptions, withOthers, type OptionRule } from '@sigil-mcp/base';
import type {
  CreateMessageParams,
  CreateMessageResult,
  JsonObject,
  SamplingContent,
  SamplingMessage,
  ServerMethod,
} from '@sigil-mcp/protocol';
import { sigilError } from '../errors/catalogue';
import { text } from '../output/content-blocks';

/** Options of every question. */
export interface AskOptions {
  /**
   * Its name within the call. If left out, it is derived from the text of the question. Name a question if a client or a test must know
   * the name, or if the text changes between two runs of the handler. Asking again under the same name is the same question and
   * returns the same answer; with another text it throws an `Error`.
   */
  readonly key?: string;
  /**
   * Milliseconds that a client has to answer while it is waited for, `Infinity` for no limit; `createServer({ answerTimeout })` if left
   * out. A value that is not such a number throws a `SigilError`.
   */
  readonly timeout?: number;
}

/** For the one check of options; values are checked where they are read. */
const ASK_OPTIONS: Readonly<Record<keyof AskOptions, OptionRule | undefined>> = { key: undefined, timeout: undefined };

/** What the user did with a form. */
export type ElicitAnswer<T = JsonObject> =
  /** The user submitted it; `content` is the data, checked against the form. */
  | { readonly action: 'accept'; readonly content: T }
  /** The user refused. */
  | { readonly action: 'decline' }
  /** The user closed the form without an answer. */
  | { readonly action: 'cancel' };

/** The outcome of a page that the user was to open; `accept` means that it will be opened, not that anything was done there. */
export interface ElicitUrlAnswer {
  /** The user's decision: yes, no, or none. */
  readonly action: 'accept' | 'decline' | 'cancel';
  /** Notifies the client, while the call runs, that the work on the page is done; does nothing if the revision has no such message. */
  done(): void;
}

/** A message for the client's model; several blocks are a list, a string is a text. */
export interface SampleMessage extends Omit<SamplingMessage, 'content'> {
  readonly content: string | SamplingContent | readonly SamplingContent[];
}

/** Options for the client's model, in addition to the messages. */
export interface SampleOptions extends AskOptions, Omit<CreateMessageParams, 'messages' | 'maxTokens'> {
  /** Tokens that the answer may have; 1000 if left out. */
  readonly maxTokens?: number;
}

const SAMPLE_MEMBERS: Readonly<Record<keyof SampleOptions, OptionRule | undefined>> = {
  ...ASK_OPTIONS,
  maxTokens: undefined,
  systemPrompt: OPTION_RULES.anyText,
  modelPreferences: OPTION_RULES.object,
  temperature: { wanted: 'a number', fits: Number.isFinite },
  stopSequences: OPTION_RULES.texts,
  metadata: OPTION_RULES.object,
  tools: OPTION_RULES.list,
  toolChoice: OPTION_RULES.object,
};

/** The client gets the others, too, such as `_meta` and members of later revisions. */
const SAMPLE_OPTIONS = withOthers(SAMPLE_MEMBERS);

/** Refuses options of a question that do not exist. @throws DefinitionError */
export function checkQuestionOptions(method: ServerMethod, options: AskOptions): void {
  const kinds = method === 'sampling/createMessage' ? SAMPLE_OPTIONS : ASK_OPTIONS;
  requireOptions(`a question of ${method}`, options, kinds);
}

/** The answer of the client's model. */
export interface SampleAnswer extends CreateMessageResult {
  /** The text blocks of the content, joined. */
  readonly text: string;
}

// Parameters of `sampling/createMessage`, checked before they are sent: the messages must make sense to a model.
// @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling

const BLOCK_TYPES = ['text', 'image', 'audio', 'tool_use', 'tool_result'];

/**
 * Makes the parameters of what a handler says to the model.
 * @throws SigilError that names the message which makes no sense
 */
export function sampleParams(
  prompt: string | readonly SampleMessage[],
  { key: _key, timeout: _timeout, maxTokens = 1000, ...options }: SampleOptions,
): CreateMessageParams {
  const messages =
    typeof prompt === 'string' ? [{ role: 'user' as const, content: [text(prompt)] }] : prompt.map(readMessage);
  if (messages.length === 0) throw sigilError('SIGIL_SAMPLE_EMPTY');
  if (!Number.isInteger(maxTokens) || maxTokens < 1) throw sigilError('SIGIL_SAMPLE_MAX_TOKENS');
  messages.forEach((message, index) => checkMessage(message, messages[index + 1], index));
  return { messages, maxTokens, ...options };
}

function readMessage({ content, ...message }: SampleMessage, index: number): SamplingMessage {
  const blocks = typeof content === 'string' ? [text(content)] : isList(content) ? content : [content];
  if (blocks.length === 0) throw sigilError('SIGIL_SAMPLE_NO_CONTENT', { index });
  const unexpected = blocks.find(({ type }) => !BLOCK_TYPES.includes(type));
  if (unexpected) {
    const type = JSON.stringify(unexpected.type);
    throw sigilError('SIGIL_SAMPLE_BLOCK', { index, type, known: BLOCK_TYPES.join(', ') });
  }
  return { ...message, content: blocks };
}

/** Checks that results of tools stand alone in a message, and answer everything that the message before them wanted. */
function checkMessage({ role, content }: SamplingMessage, next: SamplingMessage | undefined, index: number): void {
  const results = content.filter(({ type }) => type === 'tool_result');
  if (results.length > 0 && (role !== 'user' || results.length < content.length))
    throw sigilError('SIGIL_SAMPLE_MIXED_RESULTS', { index });
  const wanted = content.filter((block) => block.type === 'tool_use').map(({ id }) => id);
  if (wanted.length === 0) return;
  if (role !== 'assistant') throw sigilError('SIGIL_SAMPLE_TOOL_USER', { index });
  const given = (next?.content ?? []).filter((block) => block.type === 'tool_result').map(({ toolUseId }) => toolUseId);
  const odd = [...wanted.filter((id) => !given.includes(id)), ...given.filter((id) => !wanted.includes(id))];
  if (odd.length > 0) throw sigilError('SIGIL_SAMPLE_TOOL_RESULTS', { index, odd: odd.join(', ') });
}

function isList(content: SamplingContent | readonly SamplingContent[]): content is readonly SamplingContent[] {
  return Array.isArray(content);
}
