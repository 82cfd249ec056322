/** `apps()`: MCP Apps as an extension of a server. */
import { isObject } from '@sigil-mcp/base';
import { checkOptions } from '@sigil-mcp/core/adapter';
import type { EntryFacts, EntryStage, Extension, ReportProblem } from '@sigil-mcp/core';
import { APPS_OPTIONS, type AppsOptions } from './apps-options';
import { checkTools } from './checks/check-tools';
import { checkView } from './checks/check-view';
import { checkWrittenResource, checkWrittenTool } from './checks/check-written-meta';
import { warnAtStart } from './checks/warn-at-start';
import { TOOL_OPTIONS } from './declared/tool-options';
import { VIEW_OF } from './declared/tool-view';
import { VIEW } from './declared/view-fact';
import { skybridgeToolMeta } from './listed/chatgpt';
import { fallbackStage } from './stages/fallback-stage';
import { MadePage } from './stages/made-page';
import { repeatedPageStage } from './stages/repeated-page';
import { pageStage, writtenPageStage } from './stages/page-stage';
import { REPEATS, SameRights, openRights, skybridgeViewsOf } from './listed/skybridge-views';
import { toolMeta } from './listed/tool-meta';
import { APPS, VIEW_SCHEME } from './names';
import { ViewPages } from './page/view-pages';

/**
 * Views of a server: pages in HTML that hosts show next to the result of a tool. A host without views sees the tools as ever.
 * @example createServer({ name: 'weather', version: '1.0.0', features: [WeatherFeature], extensions: [apps()] });
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export function apps(options: AppsOptions = {}): Extension {
  // JavaScript, or a cast, may pass any value: it is reported when the server is defined.
  const { chatgpt = false, oldHosts = true }: AppsOptions = isObject(options) ? options : {};
  const pages = new ViewPages();
  const broken = new Set<EntryFacts>();
  return {
    name: APPS,
    isForEveryRevision: true,
    options: TOOL_OPTIONS,
    features(definition) {
      broken.clear();
      checkOptions('apps', options, APPS_OPTIONS, definition.report);
      return chatgpt ? skybridgeViewsOf(definition, new SameRights()) : [];
    },
    check(entry, report) {
      const note: ReportProblem = (found) => {
        broken.add(entry);
        report(found);
      };
      const view = VIEW.of(entry);
      if (view) checkView(entry, view, pages, note);
      else if (isTool(entry)) checkWrittenTool(entry, report);
      else if (isResource(entry) && !REPEATS.of(entry)) checkWrittenResource(entry, note);
    },
    checkAll(entries, report) {
      checkTools(entries, { pages, broken: [...broken] }, report);
    },
    describe(entry, entries) {
      if (!isTool(entry)) return undefined;
      const meta = toolMeta(entry, entries, oldHosts);
      return meta && chatgpt ? { ...meta, ...skybridgeToolMeta(entry, entries, pages) } : meta;
    },
    stage: stageOf(pages),
    onStart(services) {
      openRights(services);
      warnAtStart(services, pages);
    },
  };
}

function stageOf(pages: ViewPages): (entry: EntryFacts) => EntryStage | undefined {
  return (entry) => {
    const view = VIEW.of(entry);
    const repeated = REPEATS.of(entry);
    if (repeated) return repeatedPageStage(repeated.view);
    if (view) return pageStage(view, { html: pages.htmlOf(view), made: new MadePage(entry) });
    if (isTool(entry)) return VIEW_OF.of(entry) === undefined ? undefined : fallbackStage(entry);
    return isResource(entry) && entry.key.startsWith(VIEW_SCHEME) ? writtenPageStage(new MadePage(entry)) : undefined;
  };
}

function isTool(entry: EntryFacts): entry is EntryFacts<'tool'> {
  return entry.kind === 'tool';
}

function isResource(entry: EntryFacts): entry is EntryFacts<'resource' | 'resource-template'> {
  return entry.kind === 'resource' || entry.kind === 'resource-template';
}
