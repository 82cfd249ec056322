/** Whether a view can be shown: its URI, its options, and its page. */
import { nameValue, type ReportProblem } from '@sigil-mcp/base';
import type { EntryFacts } from '@sigil-mcp/core';
import type { DeclaredView } from '../declared/view-fact';
import { problem } from '../errors';
import { VIEW_SCHEME } from '../names';
import type { HtmlPage } from '../page/page';
import type { ViewPages } from '../page/view-pages';
import { checkLoads } from './check-loads';
import { checkSettings, isPolicy } from './check-settings';
import { whereOf } from './where';

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
