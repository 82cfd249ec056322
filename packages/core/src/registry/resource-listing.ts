/** `resources/list`: the resources of the registry, and behind them what templates list, in the order of the templates. */
import type { CacheHints, ListResourcesResult, Resource } from '@sigil-mcp/protocol';
import type { McpContext } from '../context/mcp-context';
import type { MaybePromise } from '@sigil-mcp/base';
import { isUsable, type Entry, type TemplateList } from './entry';
import { type ListedCursors, invalidCursor, type ListedStart } from './listed-cursors';
import type { PageRequest, ResourcePage } from './listed-resource';
import { Listing, visiblePage, type ListedPage } from './listing';
import type { Registry } from './registry';

/** Receives the error of a template's list. */
export type ReportFailure = (error: unknown, template: Entry<'resource-template'>) => void;

/** The resources of templates on one page. */
interface ListedShare {
  readonly definitions: readonly Resource[];
  /** The start of the next page; undefined on the last one. */
  readonly next: ListedStart | undefined;
}

/** Lists resources: of the registry alone, as other entries are listed, where no template lists any. */
export class ResourceListing {
  readonly #listing: Listing<'resource', ListResourcesResult>;
  /** Whether any template lists resources; undefined after a change, until a page is asked for. */
  #hasLists: boolean | undefined;

  /** @param hints for pages that are the same for every caller; those that templates list are always private */
  constructor(
    private readonly registry: Registry,
    private readonly hints: CacheHints,
    private readonly cursors: ListedCursors,
    private readonly reportFailure: ReportFailure,
  ) {
    this.#listing = new Listing(registry, 'resource', hints, shapePage);
    registry.onChange(() => {
      this.#hasLists = undefined;
    });
  }

  /** One page. Calls the list of each template at most once; a list that fails is reported and left out. */
  page(cursor: string | undefined, context: McpContext): MaybePromise<ListResourcesResult> {
    this.#hasLists ??= [...this.registry.entries('resource-template')].some(({ list }) => list);
    return this.#hasLists ? this.#pageWithLists(cursor, context) : this.#listing.page(cursor, context);
  }

  async #pageWithLists(cursor: string | undefined, context: McpContext): Promise<ListResourcesResult> {
    const { registry } = this;
    const cache = { ttlMs: this.hints.ttlMs, cacheScope: 'private' } as const;
    const places = registry.places('resource-template');
    const from = cursor === undefined ? undefined : this.cursors.read(cursor, places, context.caller);
    const own = from ? { entries: [] } : registry.page('resource', cursor);
    const page = await visiblePage(own, context);
    if (page.nextCursor !== undefined) return shapePage({ ...page, cache });
    const room = registry.pageSize - own.entries.length;
    const { definitions, next } = await this.#share(from ?? { place: 0, offset: 0 }, room, context);
    const nextCursor = next && this.cursors.write(next, context.caller);
    const all = [...page.definitions, ...definitions];
    return shapePage({ definitions: all, ...(nextCursor !== undefined && { nextCursor }), cache });
  }

  async #share(from: ListedStart, room: number, context: McpContext): Promise<ListedShare> {
    const listed = new Map<string, Resource>();
    let left = room;
    for (const { place, entry } of [...this.registry.placed('resource-template')]) {
      const { list } = entry;
      if (!list || place < from.place || context.signal.aborted || !(await isUsable(entry, context))) continue;
      const start = place === from.place ? startOf(entry, list, from) : { place, offset: 0 };
      if (left === 0) return { definitions: [...listed.values()], next: start };
      const page = { cursor: start.within?.cursor, limit: start.offset + left };
      const { resources, nextCursor } = await this.#resourcesOf(entry, list, page, context);
      const end = Math.min(start.offset + left, resources.length);
      for (const resource of resources.slice(start.offset, end))
        if (!this.#isListed(resource, listed)) listed.set(resource.uri, resource);
      const next = nextStart(entry, list, { ...start, offset: end }, { resources, nextCursor });
      if (next) return { definitions: [...listed.values()], next };
      left -= Math.max(end - start.offset, 0);
    }
    return { definitions: [...listed.values()], next: undefined };
  }

  /** A resource of the registry takes precedence over a listed one with the same URI. */
  #isListed({ uri }: Resource, listed: ReadonlyMap<string, Resource>): boolean {
    return listed.has(uri) || this.registry.find('resource', uri) !== undefined;
  }

  async #resourcesOf(
    entry: Entry<'resource-template'>,
    list: TemplateList,
    page: PageRequest,
    context: McpContext,
  ): Promise<ResourcePage> {
    try {
      return await list.resources(context, page);
    } catch (error) {
      this.reportFailure(error, entry);
      return { resources: [], nextCursor: undefined };
    }
  }
}

/**
 * Where the list of a template is to go on. Throws for a cursor of another template, which had its place before, and for one into
 * the pages of an author that was not sealed: how much an author is asked for is not for clients to say.
 */
function startOf({ key }: Entry, { isPaged }: TemplateList, from: ListedStart): ListedStart {
  const isOurs = from.within ? from.within.template === key : !isPaged || from.offset === 0;
  if (isOurs) return from;
  throw invalidCursor();
}

/** Where the next page begins, if the list of a template has more: in the same page of the author's, or with the next. */
function nextStart(
  { key }: Entry,
  { isPaged }: TemplateList,
  at: ListedStart,
  { resources, nextCursor }: ResourcePage,
): ListedStart | undefined {
  const { place, offset, within } = at;
  if (offset < resources.length)
    return isPaged ? { place, offset, within: { cursor: within?.cursor, template: key } } : { place, offset };
  return nextCursor === undefined ? undefined : { place, offset: 0, within: { cursor: nextCursor, template: key } };
}

function shapePage({ definitions, nextCursor, cache }: ListedPage<'resource'>): ListResourcesResult {
  return { resources: definitions, ...(nextCursor !== undefined && { nextCursor }), ...cache };
}
