/** Whether a view can be shown: its URI, its options, and its page. */
import { nameValue, type ReportProblem, shorten } from '@sigil-mcp/base';
import type { EntryFacts } from '@sigil-mcp/core';
import type { DeclaredView } from '../declared/view-fact';
import { problem } from '../errors';
import { VIEW_SCHEME } from '../names';
import type { HtmlPage, LoadKind, PageLoad } from '../page/page';
import type { ViewPages } from '../page/view-pages';
import { checkSettings, isPolicy } from './check-written-meta';
import { whereOf } from './where';
import type { ViewPolicy } from '../declared/view-options';
import { covers, originOf, readOrigin, type Origin } from '../policy/origin';

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

/** Faults of one page that are reported: most follow from the first. */
const FAULTS = 3;

/** Reports what is wrong with a view. */
export function checkView(entry: EntryFacts, view: DeclaredView, pages: ViewPages, report: ReportProblem): void {
  const where = whereOf(entry);
  const { uri, isMade, options } = view;
  if (entry.kind !== 'resource' || !uri.startsWith(VIEW_SCHEME))
    report(problem('SIGIL_APPS_URI', where, { uri: nameValue(uri) }));
  checkSettings(options, where, report);
  if (isMade && options.file !== undefined)
    report(problem('SIGIL_APPS_TWO_PAGES', where, { file: nameValue(options.file) }));
  else if (!isMade && options.file === undefined) report(problem('SIGIL_APPS_NO_PAGE', where));
  const read = pages.of(view);
  if (!read) return;
  if (read.page) checkPage({ name: read.file, page: read.page }, options.csp, where, report);
  else if ('reason' in read.text)
    report(problem('SIGIL_APPS_FILE', where, { file: nameValue(read.file), reason: read.text.reason }));
}

/** A page, and how messages call it. */
interface NamedPage {
  readonly name: string;
  readonly page: HtmlPage;
}

/** Reports what is wrong with a page: what is no HTML, and what hosts block. */
export function checkPage({ name, page }: NamedPage, csp: unknown, where: string, report: ReportProblem): void {
  for (const fault of page.faults.slice(0, FAULTS)) report(problem('SIGIL_APPS_HTML', where, { page: name, ...fault }));
  checkLoads({ page: name, loads: page.loads }, isPolicy(csp) ? csp : {}, where, report);
}

/**
 * Reports each origin that the page needs and the policy does not name, once for each list.
 *
 * Whether hosts permit what a page loads; each address that they would block is reported.
 */
function checkLoads({ page, loads }: LoadingPage, csp: ViewPolicy, where: string, report: ReportProblem): void {
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
