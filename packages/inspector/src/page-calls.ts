/** What the page asks the server: its lists, and single requests that a person has filled in. */
import type { Client } from '@sigil-mcp/client';
import { isObject } from '@sigil-mcp/base';
import type { JsonObject } from '@sigil-mcp/protocol';
import { reasonOf } from '@sigil-mcp/cli/kit';
import { pageError } from './errors';
import type { PageClients, Speaker } from './page-clients';
import type { PageTasks } from './page-tasks';
import type { ServedVersion } from './served-versions';
import type { Privacy } from './traffic-record';

/** The member of `_meta` by which the page finds the messages of a call in the traffic. */
const CALL = 'dev.sigil/call';

/** The answer to a call of the page. */
export type CallAnswer =
  | { readonly result: object; readonly revision: string }
  | { readonly problem: string; readonly code: string | number | undefined; readonly data: unknown };

/** Calls for the page. */
export class PageCalls {
  readonly #running = new Map<string, AbortController>();

  /** @param privacy hides what is sensitive in results; nothing is hidden if left out */
  constructor(
    private readonly clients: PageClients,
    private readonly tasks: PageTasks,
    private readonly privacy?: Privacy,
  ) {}

  /** Everything that a speaker sees. */
  async list(speaker: Speaker): Promise<object> {
    return this.#answer(async () => {
      const client = await this.clients.get(speaker);
      const { capabilities, instructions, info } = client.server;
      const none = Promise.resolve([]);
      const [tools, resources, templates, prompts] = await Promise.all([
        capabilities.tools ? client.allTools() : none,
        capabilities.resources ? client.allResources() : none,
        capabilities.resources ? client.allResourceTemplates() : none,
        capabilities.prompts ? client.allPrompts() : none,
      ]);
      return {
        result: { tools, resources, templates, prompts, capabilities, instructions, info },
        revision: client.revision,
      };
    });
  }

  /** Sends one request. @param id a name of the page for it, by which it can be cancelled */
  async call(
    speaker: Speaker,
    id: string,
    { method, params }: { method: string; params: JsonObject },
  ): Promise<CallAnswer> {
    const running = new AbortController();
    this.#running.set(id, running);
    try {
      return await this.#answer(async () => {
        const client = await this.clients.get(speaker);
        const options = { signal: running.signal, meta: { [CALL]: id }, onProgress: () => undefined };
        const version = this.privacy?.versions.serving;
        const tool = toolOf(method, params);
        const result = await (tool
          ? client.callTool(tool.name, tool.args, { ...options, onTask: this.tasks.follow(id, tool) })
          : send(client, method, params, options));
        return { result: this.#shown({ method, params }, result, version), revision: client.revision };
      });
    } finally {
      this.#running.delete(id);
    }
  }

  /** Cancels a call. */
  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }

  async #answer(work: () => Promise<{ result: object; revision: string }>): Promise<CallAnswer> {
    try {
      return await work();
    } catch (error) {
      const { code, data } = isObject(error) ? error : { code: undefined, data: undefined };
      const known = typeof code === 'string' || typeof code === 'number' ? code : undefined;
      const { mask } = this.privacy ?? {};
      const problem = { problem: reasonOf(error), code: known, data };
      return mask ? mask.hide(problem) : problem;
    }
  }

  #shown(request: { method: string; params: JsonObject }, result: object, version: ServedVersion | undefined): object {
    return version && this.privacy ? this.privacy.mask.result(request, result, version) : result;
  }
}

/** Any method of the protocol, as the page has it: the client checks its parameters, the server their values. */
function send(client: Client, method: string, params: JsonObject, options: object): Promise<object> {
  const request: (method: never, params: never, options: object) => Promise<object> = client.request.bind(client);
  return request(method as never, params as never, options);
}

/** A call of a tool that may become a task; undefined for any other request, and for one that a person has given other members. */
function toolOf(method: string, params: JsonObject): { readonly name: string; readonly args: JsonObject } | undefined {
  const { name, arguments: args = {}, ...others } = params;
  const isPlain = method === 'tools/call' && typeof name === 'string' && isObject(args);
  // JSON came from the page.
  return isPlain && Object.keys(others).length === 0 ? { name, args } : undefined;
}

/** The speaker that a request of the page names. @throws SigilError if it is malformed */
export function speakerOf(body: JsonObject): Speaker {
  return { revision: optionalText(body, 'revision'), token: optionalText(body, 'token') };
}

/** A text of a request of the page. @throws SigilError if it is missing or something else */
export function textOf(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw pageError('SIGIL_DEV_PAGE_REQUEST', { reason: `"${name}" is not a text` });
}

/** An object of a request of the page; an empty one if it is missing. */
export function objectOf(body: JsonObject, name: string): JsonObject {
  const value = body[name];
  return isObject(value) ? value : {};
}

/** A text of a request of the page; undefined if it is missing or empty. */
export function optionalText(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
