/** The dialect that ChatGPT had before MCP Apps: names of its own for the same facts. One declaration of a view writes both. */
import type { EntryFacts, EntryView, JsonObject, Meta } from '@sigil-mcp/core';
import type { ViewOptions } from '../declared/view-options';
import { VIEW } from '../declared/view-fact';
import type { ViewPages } from '../page/view-pages';
import { callersOf, viewNamed, viewUriOf } from './tool-views';

/** The MIME type of a view in this dialect. */
export const SKYBRIDGE_TYPE = 'text/html+skybridge';

/** The URI of a view in this dialect. */
export function skybridgeUri(uri: string): string {
  return `${uri}.skybridge.html`;
}

/** `_meta` of a view in this dialect. Its host wants a policy also for a page that reaches nothing. */
export function skybridgeViewMeta({ csp = {}, border, domain, description }: ViewOptions): Meta {
  const { connectDomains = [], resourceDomains = [], frameDomains } = csp;
  return {
    'openai/widgetCSP': {
      connect_domains: [...connectDomains],
      resource_domains: [...resourceDomains],
      ...(frameDomains && { frame_domains: [...frameDomains] }),
    },
    ...(border !== undefined && { 'openai/widgetPrefersBorder': border }),
    ...(domain !== undefined && { 'openai/widgetDomain': domain }),
    ...(description !== undefined && { 'openai/widgetDescription': description }),
  };
}

/** `_meta` of a tool in this dialect, in addition to its own. Its host caches a view by its URI: a page that changes gets another one. */
export function skybridgeToolMeta(tool: EntryFacts<'tool'>, entries: EntryView, pages: ViewPages): JsonObject {
  const uri = viewUriOf(tool, entries);
  const view = uri === undefined ? undefined : VIEW.of(viewNamed(uri, tool, entries));
  const version = view && pages.versionOf(view);
  const callers = callersOf(tool);
  return {
    ...(uri !== undefined && {
      'openai/outputTemplate': skybridgeUri(uri) + (version === undefined ? '' : `?v=${version}`),
    }),
    'openai/widgetAccessible': callers.includes('app'),
    'openai/visibility': callers.includes('model') ? 'public' : 'private',
  };
}
