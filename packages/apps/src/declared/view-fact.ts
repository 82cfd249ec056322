/** The fact of `@View` and `view()`. */
import { createFact, type JsonObject, type Meta } from '@sigil-mcp/core';
import { APPS } from '../names';
import type { ViewOptions, ViewSettings } from './view-options';
import type { ToolCaller } from './audience';

/** The view of a tool: the name of a member or a view, or a `ui://` URI. */
export const VIEW_OF = createFact<string>({ label: 'The option view', extension: APPS });

/** Who may call a tool. */
export const VISIBLE_TO = createFact<readonly ToolCaller[]>({ label: 'The option visibleTo', extension: APPS });

/** One view, as its author declared it. */
export interface DeclaredView {
  readonly uri: string;
  readonly options: ViewOptions;
  /** Whether a method or a function makes its HTML. */
  readonly isMade: boolean;
  /** The source file that declares it; undefined if the stack does not tell. */
  readonly source: string | undefined;
}

/** Makes a resource a view. */
export const VIEW = createFact<DeclaredView>({ label: '@View', extension: APPS });

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
