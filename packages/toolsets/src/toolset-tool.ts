/** The tools of toolsets: how they are told apart from those of the server, and what their options take from those of the toolset. */
import { createFact, type EntryFacts } from '@sigil-mcp/core';
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
