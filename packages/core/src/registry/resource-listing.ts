/** `resources/list`: the resources of the registry, and behind them what templates list, in the order of the templates. */
import type { CacheHints, ListResourcesResult, Resource } from '@sigil-mcp/protocol';
import type { McpContext } from '../context/mcp-context';
import type { MaybePromise } from '../values/maybe-promise';
import { readListedCursor, writeListedCursor, type ListedStart } from './cursor';
import type { Entry, TemplateList } from './entry';
import { isVisible, Listing, visiblePage, type ListedPage } from './listing';
import type { Registry } from './registry';

/** Hears what the list of a template threw. */
type ReportFailure = (error: unknown, template: Entry<'resource-template'>) => void;

/** What templates list on one page. */
interface ListedShare {
  readonly definitions: readonly Resource[];
  /** Where the next page begins; undefined on the last one. */
  readonly next: ListedStart | undefined;
}

/** Lists resources: of the registry alone, as other entries are listed, where no template lists any. */
export class ResourceListing {
  readonly #listing: Listing<'resource', ListResourcesResult>;
  /** Whether any template lists resources; undefined after a change of the templates, until a page is asked for. */
  #hasLists: boolean | undefined;

  /** @param hints for pages that are the same for every caller; those that templates list are always private */
  constructor(
    private readonly registry: Registry,
    private readonly hints: CacheHints,
    private readonly reportFailure: ReportFailure,
  ) {
    this.#listing = new Listing(registry, 'resource', hints, shapePage);
    registry.onChange((kind) => {
      if (kind === 'resource-template') this.#hasLists = undefined;
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
    const from = cursor === undefined ? undefined : readListedCursor(cursor, registry.places('resource-template'));
    const own = from ? { entries: [] } : registry.page('resource', cursor);
    const page = await visiblePage(own, context);
    if (page.nextCursor !== undefined) return shapePage({ ...page, cache });
    const room = registry.pageSize - own.entries.length;
    const { definitions, next } = await this.#share(from ?? { place: 0, offset: 0 }, room, context);
    const nextCursor = next && writeListedCursor(next);
    const all = [...page.definitions, ...definitions];
    return shapePage({ definitions: all, ...(nextCursor !== undefined && { nextCursor }), cache });
  }

  async #share(from: ListedStart, room: number, context: McpContext): Promise<ListedShare> {
    const listed = new Map<string, Resource>();
    let left = room;
    for (const { place, entry } of [...this.registry.placed('resource-template')]) {
      const { list } = entry;
      if (!list || place < from.place || context.signal.aborted || !(await isVisible(entry, context))) continue;
      const offset = place === from.place ? from.offset : 0;
      if (left === 0) return { definitions: [...listed.values()], next: { place, offset } };
      const all = await this.#resourcesOf(entry, list, context);
      const end = Math.min(offset + left, all.length);
      for (const resource of all.slice(offset, end))
        if (!this.#isListed(resource, listed)) listed.set(resource.uri, resource);
      if (end < all.length) return { definitions: [...listed.values()], next: { place, offset: end } };
      left -= Math.max(end - offset, 0);
    }
    return { definitions: [...listed.values()], next: undefined };
  }

  /** A resource of the registry answers for its URI, whatever a template lists. */
  #isListed({ uri }: Resource, listed: ReadonlyMap<string, Resource>): boolean {
    return listed.has(uri) || this.registry.find('resource', uri) !== undefined;
  }

  async #resourcesOf(
    entry: Entry<'resource-template'>,
    list: TemplateList,
    context: McpContext,
  ): Promise<readonly Resource[]> {
    try {
      return await list.resources(context);
    } catch (error) {
      this.reportFailure(error, entry);
      return [];
    }
  }
}

function shapePage({ definitions, nextCursor, cache }: ListedPage<'resource'>): ListResourcesResult {
  return { resources: definitions, ...(nextCursor !== undefined && { nextCursor }), ...cache };
}
