/** A line for each call of a client, for the developer at the terminal: time, client, entry, duration and outcome. */
import { META_KEYS } from '@sigil-mcp/protocol';
import { isObject, type Clock } from '@sigil-mcp/base';
import type { Styles } from '../terminal/styles';
import type { MessageShape } from './message-shape';

/** Ends the line of one call with its answer. */
export type EndCall = (answer: MessageShape) => void;

/** The methods that run code of the author, and the parameter that names the entry. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'resources/read': 'uri',
  'prompts/get': 'name',
};
const LONGEST_REASON = 100;

/** What the lines need. */
export interface CallLinesOptions {
  readonly write: (line: string) => void;
  readonly styles: Styles;
  readonly clock: Clock;
}

/** Writes the lines. */
export class CallLines {
  constructor(private readonly options: CallLinesOptions) {}

  /**
   * Notes the beginning of a request.
   * @param client the name from the session; a request without a session names its client itself
   * @returns undefined for requests that run no code of the author
   */
  begin({ method = '', params }: MessageShape, client: string | undefined): EndCall | undefined {
    const entry = params?.[NAMED_BY[method] ?? ''];
    if (typeof entry !== 'string') return undefined;
    const { clock } = this.options;
    const began = clock.elapsed();
    const name = clientOf(params?.['_meta']) ?? client ?? 'a client';
    return (answer) => this.#write(name, entry, clock.elapsed() - began, answer);
  }

  /** Notes the beginning of all calls in a body. @returns takes the answers */
  beginAll(messages: readonly MessageShape[], client: string | undefined): (answers: readonly MessageShape[]) => void {
    const ends = new Map(messages.map((message) => [message.id, this.begin(message, client)]));
    return (answers) => {
      for (const answer of answers) if (answer.method === undefined) ends.get(answer.id)?.(answer);
    };
  }

  #write(client: string, entry: string, took: number, answer: MessageShape): void {
    const { write, styles } = this.options;
    const time = new Date().toTimeString().slice(0, 8);
    write(
      [styles.dim(time), styles.dim(client), styles.bold(entry), `${Math.round(took)} ms`, this.#outcome(answer)].join(
        ' ',
      ),
    );
  }

  #outcome({ result, error }: MessageShape): string {
    const { good, warn, bad } = this.options.styles;
    if (!isObject(result)) return bad(`error: ${shorten(error?.['message'])}`);
    if (result['isError'] === true) return warn(`failed: ${shorten(firstText(result['content']))}`);
    return result['resultType'] === 'input_required' ? 'asks the client' : good('ok');
  }
}

/** The name of the client in the metadata of a request, or in the parameters of `initialize`. */
export function clientOf(holder: unknown): string | undefined {
  const info = isObject(holder) ? (holder[META_KEYS.clientInfo] ?? holder['clientInfo']) : undefined;
  const name = isObject(info) ? info['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

function firstText(content: unknown): unknown {
  const [first] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  return isObject(first) ? first['text'] : undefined;
}

function shorten(text: unknown): string {
  const line = typeof text === 'string' ? (text.split('\n')[0] ?? '') : 'without a message';
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}
