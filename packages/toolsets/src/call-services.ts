/** What a handler of a toolset needs of its call beyond the context: it is there while the stage around the handler runs. */
import type { EntryStage, ExtensionCall, ExtensionServices, McpContext } from '@sigil-mcp/core';
import { sigilError } from '@sigil-mcp/core/adapter';

/** A running call of a tool of a toolset. */
export interface ToolsetCall {
  readonly call: ExtensionCall;
  readonly services: ExtensionServices;
}

/** The running calls of one toolset, by their contexts. */
export class ToolsetCalls {
  readonly #running = new WeakMap<McpContext, ToolsetCall>();

  /** Runs around the handlers of the toolset. @param answer what is answered in place of what the handler gives; that, if undefined */
  stage(answer: (context: McpContext) => object | undefined = () => undefined): EntryStage {
    return {
      isForEveryone: true,
      run: async (call, next, services) => {
        this.#running.set(call.context, { call, services });
        const given = await next();
        return answer(call.context) ?? given;
      },
    };
  }

  /** The call of a context. */
  of(context: McpContext): ToolsetCall {
    const running = this.#running.get(context);
    if (!running) throw sigilError('SIGIL_INTERNAL', { what: 'a tool of a toolset runs without its stage' });
    return running;
  }
}
