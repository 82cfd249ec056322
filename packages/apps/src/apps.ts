/** `apps()`: MCP Apps as an extension of a server. */
import { isObject, andThen } from '@sigil-mcp/base';
import { checkOptions, OPTION_RULES, type OptionRule } from '@sigil-mcp/core/internal';
import type { EntryFacts, EntryStage, Extension, ReportProblem, EntryView, JsonObject, Meta } from '@sigil-mcp/core';
import { checkTools } from './checks/check-tools';
import { checkView } from './checks/check-view';
import { checkWrittenResource, checkWrittenTool } from './checks/check-written-meta';
import { warnAtStart } from './checks/warn-at-start';
import { TOOL_OPTIONS } from './declared/tool-options';
import { VIEW, type DeclaredView, VIEW_OF, VISIBLE_TO } from './declared/view-fact';
import { skybridgeToolMeta, SKYBRIDGE_TYPE, skybridgeViewMeta } from './listed/chatgpt';
import { MadePage } from './stages/made-page';
import { pageStage, writtenPageStage } from './stages/page-stage';
import { REPEATS, SameRights, openRights, skybridgeViewsOf } from './listed/skybridge-views';
import { APPS, VIEW_SCHEME, FLAT_KEY } from './names';
import { ViewPages } from './page/view-pages';
import { viewUriOf } from './listed/tool-views';
import { whereOf } from './checks/where';

/** How a server writes its views. */
export interface AppsOptions {
  /**
   * Whether tools also have the deprecated key `ui/resourceUri` in `_meta`, which old hosts read; true if left out.
   */
  readonly oldHosts?: boolean;
  /**
   * Whether each view is also served in the dialect that ChatGPT had before MCP Apps: a second resource, and keys of `_meta` that begin with
   * `openai/`. False if left out.
   */
  readonly chatgpt?: boolean;
}

/** What each option may be. */
const APPS_OPTIONS: Readonly<Record<keyof AppsOptions, OptionRule>> = {
  oldHosts: OPTION_RULES.flag,
  chatgpt: OPTION_RULES.flag,
};

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
    protocol: { isForEveryRevision: true },
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
    list(entry, entries) {
      if (!isTool(entry)) return undefined;
      const meta = toolMeta(entry, entries, oldHosts);
      return meta && { meta: { ...meta, ...(chatgpt && skybridgeToolMeta(entry, entries, pages)) } };
    },
    stage: stageOf(pages),
    start(services) {
      openRights(services);
      warnAtStart(services, pages);
      return services;
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

/** The stage of a resource that repeats a view. */
function repeatedPageStage(view: DeclaredView): EntryStage {
  const changes = { mimeType: SKYBRIDGE_TYPE, _meta: skybridgeViewMeta(view.options) };
  return {
    isForEveryone: true,
    async run(call, _next) {
      const { contents, ...others } = await call.run('resources/read', { uri: view.uri });
      const uri = 'uri' in call.params ? String(call.params.uri) : view.uri;
      return { ...others, contents: contents.map((item) => ({ ...item, ...changes, uri })) };
    },
  };
}

/**
 * `_meta` of a tool; undefined if its options say nothing about views.
 * @param isForOldHosts whether to write the deprecated key as well
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#resource-discovery
 */
function toolMeta(tool: EntryFacts<'tool'>, entries: EntryView, isForOldHosts: boolean): Meta | undefined {
  const audience = VISIBLE_TO.of(tool);
  if (VIEW_OF.of(tool) === undefined && audience === undefined) return undefined;
  const uri = viewUriOf(tool, entries);
  // A view that is gone at run time.
  if (uri === undefined && audience === undefined) return undefined;
  const ui: JsonObject = {
    ...(uri !== undefined && { resourceUri: uri }),
    ...(audience && { visibility: [...audience] }),
  };
  return { ui, ...(uri !== undefined && isForOldHosts && { [FLAT_KEY]: uri }) };
}

/** A stage that logs, once, that a tool with a view says nothing to hosts without views. */
function fallbackStage(tool: EntryFacts): EntryStage {
  let isLogged = false;
  return {
    isForEveryone: true,
    run: (_call, next, { logger }) =>
      andThen(next(), (result) => {
        if (isLogged || !saysNothing(result)) return result;
        isLogged = true;
        const message = `${whereOf(tool)}: The result of a tool with a view has no text: the model, and users of hosts without views, see nothing. Return a text, or data.`;
        logger.warn({ tool: tool.key }, message);
        return result;
      }),
  };
}

function saysNothing(result: object): boolean {
  const content: unknown = 'content' in result ? result.content : undefined;
  return Array.isArray(content) && content.every(isBlank);
}

function isBlank(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'text' in block && String(block.text).trim() === '';
}
