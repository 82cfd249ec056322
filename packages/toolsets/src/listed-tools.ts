/** Which tools of a server with a toolset the list shows, and which a caller may use. */
import type { Access, EntryFacts, EntryListing, ExtensionServices } from '@sigil-mcp/core';
import { ToolIndex } from './search/tool-index';
import type { ListedTools } from './search-options';
import { isOfToolset } from './toolset-tool';
import { isObject } from '@sigil-mcp/core/adapter';

/** What lists show of each entry: nothing, if a toolset takes its place. */
export function hidingFor({ always = [] }: { readonly always?: ListedTools }): EntryListing {
  return {
    isHidden(entry) {
      if (!isTool(entry) || isOfToolset(entry) || isOfView(entry)) return false;
      return typeof always === 'function' ? !always(entry) : !always.includes(entry.key);
    },
  };
}

/** An index of the tools that a toolset offers. */
export function openIndex({ entries }: ExtensionServices): ToolIndex {
  const index = new ToolIndex(entries, isOffered);
  index.refresh();
  return index;
}

function isTool(entry: EntryFacts): entry is EntryFacts<'tool'> {
  return entry.kind === 'tool';
}

/** Whether a toolset offers a tool to models at all. */
export function isOffered(tool: EntryFacts<'tool'>): boolean {
  return !isOfToolset(tool) && isForModel(tool);
}

/** The first tools of a list that a caller may see. The others are not looked at, because guards may take some time. */
export async function firstVisible(
  tools: readonly EntryFacts<'tool'>[],
  count: number,
  { access, services }: { readonly access: Access; readonly services: ExtensionServices },
): Promise<EntryFacts<'tool'>[]> {
  const seen: EntryFacts<'tool'>[] = [];
  for (let next = 0; seen.length < count && next < tools.length; next += count) {
    const some = tools.slice(next, next + count);
    const verdicts = await Promise.all(some.map(async (tool) => services.allows(access, tool)));
    seen.push(...some.filter((_, index) => verdicts[index]));
  }
  return seen.slice(0, count);
}

/** Whether hosts need a tool in the list. */
function isOfView({ definition }: EntryFacts<'tool'>): boolean {
  return isObject(definition._meta?.['ui']);
}

/** Whether a model may call a tool: some are for views alone. */
function isForModel({ definition }: EntryFacts<'tool'>): boolean {
  const ui = definition._meta?.['ui'];
  const visibility = isObject(ui) ? ui['visibility'] : undefined;
  return !Array.isArray(visibility) || visibility.includes('model');
}
