/** Answers what a view asks of its host, and records it for the test. */
import { RpcError } from '@sigil-mcp/client/wire';
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';
import type { TestClient } from '../client/test-client';
import { testingError } from '../errors';
import type { CallToolAnswer } from '../results';
import type { ViewProblems } from './view-problems';
import { namesOf, visibilityOf, type ViewSource } from './view-source';

/** A call that a view made. */
export interface ViewCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Undefined while it is under way, and if it was refused. */
  result?: CallToolAnswer;
  /** Why the host or the server refused it. */
  refused?: string;
}

/** All that a view asked of its host, in order. */
export interface ViewRequests {
  readonly calls: readonly ViewCall[];
  /** The URIs of resources that it read. */
  readonly reads: readonly string[];
  /** The messages that it wrote into the conversation. */
  readonly messages: readonly string[];
  /** The pages that it asked to open. */
  readonly links: readonly string[];
  /** The contexts that it gave to the model. Hosts keep the last one. */
  readonly contexts: readonly JsonObject[];
  /** The ways of being shown that it asked for. */
  readonly displayModes: readonly string[];
  readonly logs: readonly JsonObject[];
}

/** Answers by the name of the request. */
export class HostAnswers {
  readonly calls: ViewCall[] = [];
  readonly #reads: string[] = [];
  readonly #messages: string[] = [];
  readonly #links: string[] = [];
  readonly #contexts: JsonObject[] = [];
  readonly #displayModes: string[] = [];
  readonly #logs: JsonObject[] = [];
  /** What the view asked for until now, and what it will ask for. */
  readonly requests: ViewRequests = {
    calls: this.calls,
    reads: this.#reads,
    messages: this.#messages,
    links: this.#links,
    contexts: this.#contexts,
    displayModes: this.#displayModes,
    logs: this.#logs,
  };
  /** The size that the view reported, in pixels. */
  size: { readonly width?: number; readonly height?: number } | undefined;

  readonly #answers: Readonly<Record<string, (value: JsonObject) => JsonObject | Promise<JsonObject>>>;

  constructor(
    private readonly client: TestClient,
    private readonly source: ViewSource,
    private readonly problems: ViewProblems,
  ) {
    const note =
      (add: (value: JsonObject) => unknown) =>
      (value: JsonObject): JsonObject => (add(value), {});
    this.#answers = {
      call: (value) => this.#call(textOf(value['name']), (value['arguments'] ?? {}) as JsonObject),
      read: ({ uri }) => this.#read(textOf(uri)),
      message: note(({ content }) => this.#messages.push(textsIn(content))),
      link: note(({ url }) => this.#links.push(textOf(url))),
      context: note((value) => this.#contexts.push(value)),
      log: note((value) => this.#logs.push(value)),
      size: note((value) => (this.size = value as NonNullable<HostAnswers['size']>)),
      mode: ({ mode }) => {
        this.#displayModes.push(textOf(mode));
        return { mode: textOf(mode) };
      },
      stray: note(({ text }) => this.problems.add(testingError('SIGIL_VIEW_STRAY', { text: textOf(text) }))),
      flood: note(({ count }) => this.problems.add(testingError('SIGIL_VIEW_FLOOD', { count: Number(count) }))),
    };
  }

  /** The answer to a request, or its error. */
  async answer(name: string, value: JsonObject): Promise<JsonObject> {
    try {
      return { result: (await this.#answers[name]?.(value)) ?? {} };
    } catch (error) {
      const { code, data } = error instanceof RpcError ? error : { code: -32000, data: undefined };
      const message = error instanceof Error ? error.message : String(error);
      return { error: { code, message, ...(data !== undefined && { data }) } };
    }
  }

  async #call(tool: string, args: JsonObject): Promise<JsonObject> {
    const call: ViewCall = { tool, arguments: args };
    this.calls.push(call);
    try {
      this.#assertAllowed(tool);
      return (call.result = await this.client.callTool(tool, args));
    } catch (error) {
      call.refused = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  #assertAllowed(name: string): void {
    const { tools } = this.source;
    const tool = tools.get(name);
    const refuse = (problem: Error): never => {
      this.problems.add(problem);
      throw new RpcError({ code: -32000, message: `The host refuses the call of ${name}.` });
    };
    if (!tool) return refuse(testingError('SIGIL_VIEW_UNKNOWN_TOOL', { tool: name, known: namesOf(tools) }));
    const visibility = visibilityOf(tool);
    if (!visibility.includes('app'))
      refuse(testingError('SIGIL_VIEW_HIDDEN_TOOL', { tool: name, visibility: visibility.join(', ') || 'nobody' }));
  }

  #read(uri: string): Promise<JsonObject> {
    this.#reads.push(uri);
    return this.client.readResource(uri);
  }
}

function textsIn(content: JsonValue | undefined): string {
  const blocks = Array.isArray(content) ? (content as readonly JsonObject[]) : [];
  return blocks.map(({ text }) => textOf(text)).join('\n');
}

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? '');
