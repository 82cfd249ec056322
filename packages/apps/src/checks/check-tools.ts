/** Whether tools and views fit together: which view a tool has, which tools a page calls, and who may call and load them. */
import { nameValue, nearestNames, type ReportProblem } from '@sigil-mcp/base';
import type { EntryFacts, EntryView } from '@sigil-mcp/core';
import { VIEW, VIEW_OF } from '../declared/view-fact';
import { problem } from '../errors';
import { callersOf, isNamed, namesFor, viewNamed, viewUriOf, viewsNamed } from '../listed/tool-views';
import { VIEW_SCHEME, VIEW_TYPE } from '../names';
import type { PageCall } from '../page/page';
import type { ReadPage, ViewPages } from '../page/view-pages';
import { whereOf } from './where';

/** What is known of the views. */
export interface CheckedViews {
  readonly pages: ViewPages;
  /** Views of which something was reported: a server does not count them among its entries. */
  readonly broken: readonly EntryFacts[];
}

/** Reports what does not fit. All entries are known now. */
export function checkTools(entries: EntryView, { pages, broken }: CheckedViews, report: ReportProblem): void {
  const called = new Set<string>();
  const views = [...entries.entries('resource')].filter(({ key }) => key.startsWith(VIEW_SCHEME));
  const read = views.map((entry) => ({ entry, page: pageOf(entry, pages) }));
  for (const { entry, page } of read) if (page) checkCalls(entry, page, entries, report);
  for (const { page } of read) for (const word of page?.page?.words ?? []) called.add(word);
  // What a page that is made when it is read will call is not known now.
  const isKnown = broken.length === 0 && read.every(({ page }) => page?.page !== undefined);
  for (const tool of entries.entries('tool')) {
    checkView(tool, { entries, broken }, report);
    if (isKnown && !callersOf(tool).includes('model') && !called.has(tool.key))
      report(problem('SIGIL_APPS_APP_ONLY', whereOf(tool), { tool: tool.key }));
  }
}

function pageOf(entry: EntryFacts, pages: ViewPages): ReadPage | undefined {
  const view = VIEW.of(entry);
  return view && pages.of(view);
}

/** Reports tools that a page calls by name and cannot reach. */
function checkCalls(view: EntryFacts, { file, page }: ReadPage, entries: EntryView, report: ReportProblem): void {
  const names = [...entries.entries('tool')].map(({ key }) => key);
  const seen = new Set<string>();
  for (const call of page?.calls ?? []) {
    if (seen.has(call.tool)) continue;
    seen.add(call.tool);
    const found = faultOf(call, entries);
    const place = { line: call.line, page: file, tool: call.tool };
    if (found === 'unknown')
      report(problem('SIGIL_APPS_CALL', whereOf(view), { ...place, near: suggest(call.tool, names) }));
    if (found === 'hidden') report(problem('SIGIL_APPS_CALL_HIDDEN', whereOf(view), place));
  }
}

function faultOf({ tool }: PageCall, entries: EntryView): 'unknown' | 'hidden' | undefined {
  const found = entries.find('tool', tool);
  if (!found) return 'unknown';
  return callersOf(found).includes('app') ? undefined : 'hidden';
}

function checkView(
  tool: EntryFacts<'tool'>,
  { entries, broken }: { readonly entries: EntryView; readonly broken: readonly EntryFacts[] },
  report: ReportProblem,
): void {
  const name = VIEW_OF.of(tool) ?? viewUriOf(tool, entries);
  if (name === undefined) return;
  const where = whereOf(tool);
  const view = viewNamed(name, tool, entries);
  if (!view) {
    if (broken.some((entry) => isNamed(entry, name, tool))) return;
    const near = suggest(name, namesFor(tool, entries));
    report(problem('SIGIL_APPS_UNKNOWN', where, { view: nameValue(name), near }));
    return;
  }
  const uris = viewsNamed(name, tool, entries).map(({ key }) => key);
  if (uris.length > 1) report(problem('SIGIL_APPS_SAME_NAME', where, { view: nameValue(name), uris: uris.join(', ') }));
  const { mimeType } = view.definition;
  if (mimeType !== VIEW_TYPE)
    report(problem('SIGIL_APPS_NOT_A_VIEW', where, { view: nameValue(name), type: nameValue(mimeType) }));
  const rights = rightsMissing(view, tool);
  if (rights !== '') report(problem('SIGIL_APPS_RIGHTS', where, { uri: view.key, rights }));
}

/** What a view needs of callers, and its tool does not, in words; empty if all who may call the tool may load the view. */
function rightsMissing({ policy: view }: EntryFacts, { policy: tool }: EntryFacts): string {
  if (tool.isPublic && !view.isPublic) return 'a token';
  const scopes = view.scopes.filter((scope) => !tool.scopes.includes(scope));
  return scopes.length === 0 ? '' : `the scope${scopes.length === 1 ? '' : 's'} ${scopes.join(', ')}`;
}

function suggest(name: string, known: readonly string[]): string {
  const [near] = nearestNames(name, known);
  return near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
}
