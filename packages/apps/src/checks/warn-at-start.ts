/** What is likely a mistake, and no reason not to start: it is logged when the server starts. */
import type { EntryFacts, EntryView, ExtensionServices } from '@sigil-mcp/core';
import { VIEW } from '../declared/view-fact';
import { callersOf, viewUriOf } from '../listed/tool-views';
import { isPolicy } from './check-written-meta';
import { isLoopback, readOrigin } from '../policy/origin';
import type { ViewPages } from '../page/view-pages';
import { whereOf } from './where';

/** A tool and the view that hosts show next to its result. */
interface Shown {
  readonly tool: EntryFacts<'tool'>;
  readonly view: EntryFacts<'resource'>;
}

/** Logs views that no tool shows, views that reach the machine of the user, and calls that some callers may not make. */
export function warnAtStart({ entries, logger }: ExtensionServices, pages: ViewPages): void {
  const shown = shownViews(entries);
  const warn = (entry: EntryFacts, message: string): void =>
    logger.warn({ uri: entry.key }, `${whereOf(entry)}: ${message}`);
  for (const entry of entries.entries('resource')) {
    const view = VIEW.of(entry);
    if (!view) continue;
    if (!shown.some((each) => each.view === entry))
      warn(entry, 'No tool shows the view: name it in the option view of a tool.');
    for (const origin of loopbackOrigins(view.options.csp))
      warn(
        entry,
        `The view may reach ${origin}, which is the machine of each user. Remove it before you publish the server.`,
      );
    for (const message of unreachableCalls(entry, shown, { entries, pages })) warn(entry, message);
  }
  for (const { tool, view } of shown) {
    const roles = view.policy.roles.filter(
      (needed) => !tool.policy.roles.some((own) => own.every((role) => needed.includes(role))),
    );
    if (roles.length > 0)
      warn(
        tool,
        `Its view ${view.key} needs a role (${roles.map((each) => each.join(' or ')).join('; ')}) that the tool does not: some callers cannot load it.`,
      );
  }
}

function shownViews(entries: EntryView): readonly Shown[] {
  return [...entries.entries('tool')].flatMap((tool) => {
    const uri = viewUriOf(tool, entries);
    const view = uri === undefined ? undefined : entries.find('resource', uri);
    return view ? [{ tool, view }] : [];
  });
}

/** Tools that a page calls, and that need more of callers than every tool that shows the page. */
function unreachableCalls(
  view: EntryFacts<'resource'>,
  shown: readonly Shown[],
  { entries, pages }: { readonly entries: EntryView; readonly pages: ViewPages },
): readonly string[] {
  const declared = VIEW.of(view);
  const calls = (declared && pages.of(declared)?.page?.calls) ?? [];
  const showing = shown.filter((each) => each.view === view && callersOf(each.tool).includes('model'));
  return [...new Set(calls.map(({ tool }) => tool))].flatMap((name) => {
    const tool = entries.find('tool', name);
    const missing =
      tool?.policy.scopes.filter((scope) => showing.some((each) => !each.tool.policy.scopes.includes(scope))) ?? [];
    return missing.length === 0
      ? []
      : [
          `The page calls the tool ${name}, which needs ${missing.join(', ')}. Callers who see the page may lack that: handle the refusal in the page.`,
        ];
  });
}

function loopbackOrigins(csp: unknown): readonly string[] {
  const origins = isPolicy(csp) ? Object.values(csp).flat() : [];
  return origins.filter((text): text is string => {
    const origin = readOrigin(text);
    return origin !== undefined && isLoopback(origin);
  });
}
