/** Which view belongs to which tool. */
import type { EntryFacts, EntryView } from '@sigil-mcp/core';
import { isAudience, type ToolCaller } from '../declared/audience';
import { VIEW, VIEW_OF, VISIBLE_TO } from '../declared/view-fact';
import { VIEW_SCHEME } from '../names';

/** The resource that is the view of a tool, by the name that the tool uses for it; undefined if it does not exist. */
export function viewNamed(name: string, tool: EntryFacts, entries: EntryView): EntryFacts<'resource'> | undefined {
  return viewsNamed(name, tool, entries)[0];
}

/** All views that a tool may mean by a name, disabled ones included: they may come back. More than one is a mistake. */
export function viewsNamed(name: string, tool: EntryFacts, entries: EntryView): readonly EntryFacts<'resource'>[] {
  return [...entries.all('resource')].filter((entry) => isNamed(entry, name, tool));
}

/** The names by which a tool could name a view. */
export function namesFor(tool: EntryFacts, entries: EntryView): readonly string[] {
  const near = [...entries.entries('resource')].filter((entry) => isBeside(entry, tool) && VIEW.of(entry));
  const all = [...entries.entries('resource')].filter(({ key }) => key.startsWith(VIEW_SCHEME));
  return [...near.map(nameOf), ...all.map(({ key }) => key)];
}

/** The URI of the view that a tool says it has, by an option or by hand; undefined if it has none. */
export function viewUriOf(tool: EntryFacts<'tool'>, entries: EntryView): string | undefined {
  const name = VIEW_OF.of(tool);
  if (name !== undefined) return viewNamed(name, tool, entries)?.key;
  const written = writtenUi(tool)['resourceUri'];
  return typeof written === 'string' ? written : undefined;
}

/** Who may call a tool; both, if it does not say. */
export function callersOf(tool: EntryFacts<'tool'>): readonly ToolCaller[] {
  const given: unknown = VISIBLE_TO.of(tool) ?? writtenUi(tool)['visibility'];
  return isAudience(given) ? given : ['model', 'app'];
}

function writtenUi({ definition }: EntryFacts<'tool'>): Readonly<Record<string, unknown>> {
  const ui: unknown = definition._meta?.['ui'];
  return typeof ui === 'object' && ui !== null ? (ui as Readonly<Record<string, unknown>>) : {};
}

/** Whether a tool calls a view by this name: it is a member of the same class, or both are functions; or the name is its URI. */
export function isNamed(entry: EntryFacts, name: string, tool: EntryFacts): boolean {
  if (name.includes('://')) return entry.key === name;
  return isBeside(entry, tool) && VIEW.of(entry) !== undefined && nameOf(entry) === name;
}

function isBeside({ source }: EntryFacts, tool: EntryFacts): boolean {
  return source.feature === tool.source.feature;
}

function nameOf({ source, definition }: EntryFacts): string {
  return source.member ?? definition.name;
}
