/** What is said about one entry besides its description and its schemas: who may call it, its view, its examples, and whether it can be a task. */
import { isObject, visible } from '@sigil-mcp/base';
import type { DeclaredEntry } from '../declared/declared-entries';
import type { Cell } from '../terminal/columns';
import type { Styles } from '../terminal/styles';

/** An entry, as any server lists it. */
interface ListedMeta {
  readonly _meta?: unknown;
}

/**
 * The access policy of an entry: the scopes, if its server publishes them in the `securitySchemes` of `_meta`, and the roles.
 * @param roles the roles that the code of the server declares, which the protocol does not list: of each group a caller needs one
 * @returns for example `needs the scopes notes:read notes:write, and the role admin`; undefined without a policy
 */
export function describePolicy(entry: ListedMeta, roles: readonly (readonly string[])[] = []): string | undefined {
  const published = describeSchemes(entry);
  if (roles.length === 0) return published;
  const wanted = roles.map((one) => `${one.length === 1 ? 'the role' : 'one of the roles'} ${one.join(', ')}`);
  return `${published === undefined ? 'needs' : `${published}, and`} ${wanted.join(', and ')}`;
}

function describeSchemes({ _meta: meta }: ListedMeta): string | undefined {
  const schemes: unknown = isObject(meta) ? meta['securitySchemes'] : undefined;
  if (!Array.isArray(schemes)) return undefined;
  const said = (schemes as unknown[]).flatMap((scheme) => (isObject(scheme) ? [describeScheme(scheme)] : []));
  return said.length === 0 ? undefined : said.join(', or ');
}

function describeScheme({ type, scopes }: Readonly<Record<string, unknown>>): string {
  if (type === 'noauth') return 'public: needs no token';
  const names = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
  if (names.length === 0) return 'needs a token';
  return `needs the ${names.length === 1 ? 'scope' : 'scopes'} ${names.join(' ')}`;
}

/** Whether calls of a tool can be tasks, which only the code of a server knows: `task: optional, retries: 2`; undefined if they never are. */
export function describeTask(entry: Pick<DeclaredEntry, 'task'> | undefined): string | undefined {
  if (!entry?.task) return undefined;
  const { support, starts, retry } = entry.task;
  return [
    `task: ${support === 'required' ? 'required' : 'optional'}`,
    ...(starts === 'in-handler' ? ['starts in its handler'] : []),
    ...(typeof retry === 'number' ? [`retries: ${retry}`] : []),
  ].join(', ');
}

/** What the members of `csp` in `_meta.ui` of MCP Apps allow. */
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

/** The key of `_meta` under which a server of Sigil lists examples. */
const EXAMPLES = 'dev.sigil/examples';

/** The examples as rows of a table: arguments as JSON, and what the call does. What a server lists in another form is left out. */
export function exampleRows({ _meta }: ListedMeta, styles: Styles): Cell[][] {
  const listed: unknown = isObject(_meta) ? _meta[EXAMPLES] : undefined;
  if (!Array.isArray(listed)) return [];
  return listed
    .filter(isObject)
    .map(({ args, says }): Cell[] => [
      { text: visible(JSON.stringify(args ?? {})), style: styles.name },
      { text: typeof says === 'string' ? visible(says) : '' },
    ]);
}
