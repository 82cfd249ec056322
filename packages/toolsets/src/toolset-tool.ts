/** The tools of toolsets: how they are told apart from those of the server, and what their options take from those of the toolset. */
import {
  createFact,
  type EntryFacts,
  type EntryStage,
  type ExtensionCall,
  type ExtensionServices,
  type McpContext,
} from '@sigil-mcp/core';
import { sigilError } from '@sigil-mcp/core/adapter';
import type { ToolsetOptions } from './search-options';

const TOOLSET_TOOL = createFact<true>({ label: 'a tool of a toolset' });

/** Whether a tool is one of a toolset: of this one, or of another on the same server. */
export function isOfToolset(entry: EntryFacts): boolean {
  return TOOLSET_TOOL.of(entry) === true;
}

/** The options of a tool of a toolset, besides its own; nothing is left out as undefined. */
export function toolOptions({ guards, scopes, public: isPublic }: ToolsetOptions) {
  return {
    facts: [TOOLSET_TOOL.with(true)],
    ...(guards && { guards }),
    ...(scopes && { scopes }),
    ...(isPublic !== undefined && { public: isPublic }),
  };
}

// What a handler of a toolset needs of its call beyond the context: it is there while the stage around the handler runs.

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
