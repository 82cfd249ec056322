/** `_meta` of a view, with the names of the specification. */
import type { JsonObject, Meta } from '@sigil-mcp/core';
import type { ViewSettings } from './view-options';

/**
 * The settings of a view as `_meta`; undefined without settings.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#ui-resource-format
 */
export function viewMeta({ csp, permissions, border, domain }: ViewSettings): Meta | undefined {
  const ui: JsonObject = {
    // What is malformed is reported when the server is defined.
    ...(csp && { csp: csp as unknown as JsonObject }),
    ...(permissions && { permissions: permissionsOf(permissions) }),
    ...(domain !== undefined && { domain }),
    ...(border !== undefined && { prefersBorder: border }),
  };
  return Object.keys(ui).length === 0 ? undefined : { ui };
}

/** Each permission as an empty object, which may have settings in later revisions. */
function permissionsOf(names: unknown): JsonObject {
  return Array.isArray(names) ? Object.fromEntries(names.map((name) => [String(name), {}])) : {};
}
