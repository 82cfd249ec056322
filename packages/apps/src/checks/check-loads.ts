/** Whether hosts permit what a page loads; each address that they would block is reported. */
import { nameValue, shorten, type ReportProblem } from '@sigil-mcp/base';
import type { ViewPolicy } from '../declared/view-options';
import { problem } from '../errors';
import { covers, originOf, readOrigin, type Origin } from '../policy/origin';
import type { LoadKind, PageLoad } from '../page/page';

const LIST_OF: Readonly<Record<Exclude<LoadKind, 'never'>, keyof ViewPolicy>> = {
  connect: 'connectDomains',
  resource: 'resourceDomains',
  frame: 'frameDomains',
  base: 'baseUriDomains',
};
/** What the page has in itself, and empty pages. */
const WITHIN = /^(?:#|data:|blob:|about:|javascript:|$)/i;
const WITH_SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** A page, and how messages call it. */
interface LoadingPage {
  readonly page: string;
  readonly loads: readonly PageLoad[];
}

/** Reports each origin that the page needs and the policy does not name, once for each list. */
export function checkLoads({ page, loads }: LoadingPage, csp: ViewPolicy, where: string, report: ReportProblem): void {
  const base = loads.find(({ kind, url }) => kind === 'base' && WITH_SCHEME.test(url))?.url;
  const reported = new Set<string>();
  for (const load of loads) {
    const found = problemOf({ ...load, url: absolute(load.url, base) }, csp, page);
    if (!found || reported.has(found.key)) continue;
    reported.add(found.key);
    report(found.problemAt(where));
  }
}

function problemOf({ kind, url, by, line }: PageLoad, csp: ViewPolicy, page: string) {
  if (WITHIN.test(url)) return undefined;
  const place = { by, line, page };
  const shown = shorten(url, 100);
  if (kind === 'never')
    return {
      key: `never ${url}`,
      problemAt: (where: string) => problem('SIGIL_APPS_BLOCKED', where, { ...place, url: shown }),
    };
  const origin = originOf(url);
  // Such as `https://` alone, to which a script adds a host.
  if (origin === undefined && WITH_SCHEME.test(url)) return undefined;
  if (origin === undefined)
    return {
      key: `relative ${url}`,
      problemAt: (where: string) => problem('SIGIL_APPS_RELATIVE', where, { ...place, url: nameValue(url) }),
    };
  const list = LIST_OF[kind];
  if (isCovered(origin, [...(csp[list] ?? []), ...(by.endsWith('src =') ? (csp.frameDomains ?? []) : [])]))
    return undefined;
  return {
    key: `${list} ${origin}`,
    problemAt: (where: string) => problem('SIGIL_APPS_UNDECLARED', where, { ...place, origin, list }),
  };
}

function isCovered(origin: string, policy: readonly unknown[]): boolean {
  const wanted = readOrigin(origin);
  const named = policy.map(readOrigin).filter((each): each is Origin => each !== undefined);
  return wanted !== undefined && covers(named, wanted);
}

/** The address as a browser resolves it, where something says against which one. */
function absolute(url: string, base: string | undefined): string {
  if (url.startsWith('//')) return `https:${url}`;
  return base !== undefined && !WITHIN.test(url) && URL.canParse(url, base) ? new URL(url, base).href : url;
}
