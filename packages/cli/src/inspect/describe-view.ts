/** What `_meta.ui` of MCP Apps says about a tool or a view, as text. Any server may write it. */
import { isObject } from '@sigil-mcp/base';

/** An entry, as it is listed. */
interface ListedMeta {
  readonly _meta?: unknown;
}

const REACHES: Readonly<Record<string, string>> = {
  connectDomains: 'connects to',
  resourceDomains: 'loads from',
  frameDomains: 'shows frames of',
  baseUriDomains: 'is based on',
};

/** Which view a tool shows and who may call it: `shows ui://weather/chart, called by views only`; undefined without a view. */
export function describeToolView(tool: ListedMeta): string | undefined {
  const { resourceUri, visibility } = uiOf(tool);
  return joined([
    ...(typeof resourceUri === 'string' ? [`shows ${resourceUri}`] : []),
    ...(isOnly(visibility, 'app') ? ['called by views only'] : []),
    ...(isOnly(visibility, 'model') ? ['not called by views'] : []),
  ]);
}

/** What a view reaches and asks for: `connects to https://api.example.com, asks for camera`; undefined without settings. */
export function describeView(resource: ListedMeta): string | undefined {
  const { csp, permissions, prefersBorder } = uiOf(resource);
  const lists = Object.entries(isObject(csp) ? csp : {}).filter(([list]) => Object.hasOwn(REACHES, list));
  const reached = lists.flatMap(([list, origins]) =>
    Array.isArray(origins) && origins.length > 0 ? [`${REACHES[list]} ${origins.map(String).join(' ')}`] : [],
  );
  const asked = Object.keys(isObject(permissions) ? permissions : {});
  return joined([
    ...reached,
    ...(asked.length === 0 ? [] : [`asks for ${asked.join(' ')}`]),
    ...(prefersBorder === true ? ['with a border'] : []),
    ...(prefersBorder === false ? ['without a border'] : []),
  ]);
}

function uiOf({ _meta: meta }: ListedMeta): Readonly<Record<string, unknown>> {
  const ui: unknown = isObject(meta) ? meta['ui'] : undefined;
  return isObject(ui) ? ui : {};
}

function isOnly(visibility: unknown, caller: string): boolean {
  return Array.isArray(visibility) && visibility.length === 1 && visibility[0] === caller;
}

function joined(parts: readonly string[]): string | undefined {
  return parts.length === 0 ? undefined : parts.join(', ');
}
