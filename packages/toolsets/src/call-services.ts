/** What a handler of a toolset needs of its call beyond the context: it is there while the stage around the handler runs. */
import type { EntryStage, ExtensionCall, ExtensionServices, McpContext } from '@sigil-mcp/core';
import { sigilError } from '@sigil-mcp/core/adapter';

/** What there is of one server while it runs. */
interface StartedToolset {
  readonly services: ExtensionServices;
}

/** A running call of a tool of a toolset, with what there is of its server. */
export type ToolsetCall<Started extends StartedToolset = StartedToolset> = Started & { readonly call: ExtensionCall };

/** The running calls of one toolset, by their contexts. */
export class ToolsetCalls<Started extends StartedToolset> {
  readonly #running = new WeakMap<McpContext, ToolsetCall<Started>>();

  /** Runs around the handlers of the toolset. @param answer what is answered in place of what the handler gives; that, if undefined */
  stage(answer: (context: McpContext) => object | undefined = () => undefined): EntryStage<Started> {
    return {
      isForEveryone: true,
      run: async (call, next, started) => {
        this.#running.set(call.context, { ...started, call });
        const given = await next();
        return answer(call.context) ?? given;
      },
    };
  }

  /** The call of a context. */
  of(context: McpContext): ToolsetCall<Started> {
    const running = this.#running.get(context);
    if (!running) throw sigilError('SIGIL_INTERNAL', { what: 'a tool of a toolset runs without its stage' });
    return running;
  }
}
