/** What runs around the reading of a view: the page of its file takes the place of the method's result, and its settings are added. */
import { andThen } from '@sigil-mcp/base';
import type { EntryStage, JsonObject } from '@sigil-mcp/core';
import { inlineBridge } from '../inline-bridge';
import type { MadePage } from './made-page';
import { type DeclaredView, viewMeta } from '../declared/view-fact';

/** One item of the contents of a resource. */
interface ContentItem {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
  readonly _meta?: JsonObject;
}

/** The items of a result of `resources/read`; none of a result of another type. */
export function itemsOf(result: object): readonly ContentItem[] {
  // The kernel makes this result: its items are as the protocol has them.
  return 'contents' in result && Array.isArray(result.contents) ? (result.contents as readonly ContentItem[]) : [];
}

/**
 * The stage of a view.
 * @param html the page of its file; undefined if a method makes it
 */
export function pageStage(
  view: DeclaredView,
  { html, made }: { readonly html: string | undefined; readonly made: MadePage },
): EntryStage {
  const meta = viewMeta(view.options);
  return {
    isForEveryone: true,
    run: (_call, next, services) =>
      andThen(next(), (result) => {
        const items = itemsOf(result);
        if (items.length === 0) return result;
        if (html === undefined) made.check(items, services);
        // Hosts prefer what the contents say to what the list says.
        const contents = items.map((item) => ({
          ...item,
          ...textOf(item, html),
          ...(meta && { _meta: { ...meta, ...item._meta } }),
        }));
        return { ...result, contents };
      }),
  };
}

/** The page of the file, or the one that a method made, with the bridge in it; nothing for a page in bytes. */
function textOf({ text }: ContentItem, html: string | undefined): Pick<ContentItem, 'text'> {
  if (html !== undefined) return { text: html };
  return text === undefined ? {} : { text: inlineBridge(text) };
}

/** The stage of a resource that an author wrote as a view by hand: its contents are checked. */
export function writtenPageStage(made: MadePage): EntryStage {
  return {
    isForEveryone: true,
    run: (_call, next, services) =>
      andThen(next(), (result) => {
        made.check(itemsOf(result), services);
        return result;
      }),
  };
}
