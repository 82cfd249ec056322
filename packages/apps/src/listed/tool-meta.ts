/** What lists show in `_meta` of a tool that has a view. */
import type { EntryFacts, EntryView, JsonObject, Meta } from '@sigil-mcp/core';
import { VIEW_OF, VISIBLE_TO } from '../declared/tool-view';
import { FLAT_KEY } from '../names';
import { viewUriOf } from './tool-views';

/**
 * `_meta` of a tool; undefined if its options say nothing about views.
 * @param isForOldHosts whether to write the deprecated key as well
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#resource-discovery
 */
export function toolMeta(tool: EntryFacts<'tool'>, entries: EntryView, isForOldHosts: boolean): Meta | undefined {
  const audience = VISIBLE_TO.of(tool);
  if (VIEW_OF.of(tool) === undefined && audience === undefined) return undefined;
  const uri = viewUriOf(tool, entries);
  // A view that is gone at run time.
  if (uri === undefined && audience === undefined) return undefined;
  const ui: JsonObject = {
    ...(uri !== undefined && { resourceUri: uri }),
    ...(audience && { visibility: [...audience] }),
  };
  return { ui, ...(uri !== undefined && isForOldHosts && { [FLAT_KEY]: uri }) };
}
