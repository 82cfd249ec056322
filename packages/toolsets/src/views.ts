/** Tools with views (MCP Apps): hosts look in the list of tools for the view of a tool, and for its audience. */
import type { EntryFacts } from '@sigil-mcp/core';
import { isObject } from '@sigil-mcp/core/adapter';

/** Whether hosts need a tool in the list. */
export function isOfView({ definition }: EntryFacts<'tool'>): boolean {
  return isObject(definition._meta?.['ui']);
}

/** Whether a model may call a tool: some are for views alone. */
export function isForModel({ definition }: EntryFacts<'tool'>): boolean {
  const ui = definition._meta?.['ui'];
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes('model');
}
