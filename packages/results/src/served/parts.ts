/** The parts of a result: what fits, what it says of itself, and how the next part is found. */
import { resourceLink, text, type ContentBlock } from '@sigil-mcp/core';
import { MEMBERS, restUri } from '../names';
import type { ListRest, TextRest } from './kept-rests';

/** A part of a list. */
interface Fit {
  /** The index of the first item. */
  readonly from: number;
  /** Characters of JSON that the items may take, commas included. */
  readonly room: number;
  /** Items that are always taken, if there are as many. */
  readonly least: number;
}

/** The result of a tool, in the terms of the newest revision. */
export interface FittedResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly structuredRoot?: 'object' | 'any';
  readonly structuredText?: string;
  readonly isError: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** Where a part of a rest begins, and how it is found. */
interface PartInit {
  /** The id of the rest; undefined if it is not kept. */
  readonly id: string | undefined;
  readonly from: number;
  /** Characters of the whole part. */
  readonly characters: number;
}

/** A cursor: the id of a rest, and where the part begins. */
function writeCursor(id: string, from: number): string {
  return `${id}.${from}`;
}

/** Reads a cursor; undefined for any other text. */
export function readCursor(cursor: string): { readonly id: string; readonly from: number } | undefined {
  const [, id, from] = /^([\w-]{1,64})\.(\d{1,15})$/.exec(cursor) ?? [];
  return id === undefined ? undefined : { id, from: Number(from) };
}

const NOT_KEPT = 'The rest was not kept, because it is too large: ask for less at once.';

/** How to get what follows. */
function wayOn(id: string | undefined, next: number): string {
  if (id === undefined) return NOT_KEPT;
  return `For more, call the tool again with the same arguments and cursor ${JSON.stringify(writeCursor(id, next))}, or read ${restUri(id, next)}.`;
}

function linkTo(id: string, next: number, { tool, kind }: ListRest | TextRest): ContentBlock {
  return resourceLink({
    uri: restUri(id, next),
    name: `${tool}: the rest of the result`,
    mimeType: kind === 'list' ? 'application/json' : 'text/plain',
  });
}

/** A part of a list: its result, without anything that its author wrote as content. */
export function listPart(rest: ListRest, part: PartInit, least: number): FittedResult {
  const { items } = rest;
  const { from } = part;
  // The longest that everything but the items can be: the last index has the most digits.
  const frame = answerOf(rest, part, { to: items.length, isMore: true, items: [] });
  const room = part.characters - lengthOf(frame);
  const to = fitItems(items, { from, room, least: Math.max(least, 1) });
  return answerOf(rest, part, { to, isMore: to < items.length, items: items.slice(from, to) });
}

/** What a part has. */
interface PartItems {
  /** The index after its last item. */
  readonly to: number;
  readonly isMore: boolean;
  readonly items: readonly unknown[];
}

function answerOf(rest: ListRest, { id, from }: PartInit, { to, isMore, items }: PartItems): FittedResult {
  const { list, data } = rest;
  const total = rest.items.length;
  const which = `Items ${from + 1} to ${to} of ${total}.`;
  const hint = isMore ? `${which} ${wayOn(id, to)}` : `${which} There are no more.`;
  const links = isMore && id !== undefined ? [linkTo(id, to, rest)] : [];
  if (list === undefined)
    return {
      content: [text(JSON.stringify(items)), text(hint), ...links],
      structuredContent: items,
      isError: false,
    };
  const cursor = isMore && id !== undefined ? { [MEMBERS.nextCursor]: writeCursor(id, to) } : {};
  const structuredContent = { ...data, [list]: items, ...cursor, [MEMBERS.total]: total, [MEMBERS.hint]: hint };
  const structuredText = JSON.stringify(structuredContent);
  return {
    content: [text(structuredText), ...links],
    structuredContent,
    structuredRoot: 'object',
    structuredText,
    isError: false,
  };
}

/** A part of a text: the text, and what it says of itself. */
export function textPart(rest: TextRest, { id, from, characters }: PartInit): readonly ContentBlock[] {
  const total = rest.text.length;
  const noteFor = (to: number): string => {
    const which = `Characters ${from + 1} to ${to} of ${total}.`;
    return to < total ? `${which} ${wayOn(id, to)}` : `${which} There are no more.`;
  };
  const reserved = lengthOf({
    content: [text(noteFor(total - 1)), ...(id === undefined ? [] : [linkTo(id, total, rest)])],
  });
  const to = fitText(rest.text, from, characters - reserved);
  const links = to < total && id !== undefined ? [linkTo(id, to, rest)] : [];
  return [text(rest.text.slice(from, to)), text(noteFor(to)), ...links];
}

/** Characters that a model reads of content: texts as they are, other blocks as JSON. Pictures and sounds are no characters. */
export function lengthOf({ content }: Pick<FittedResult, 'content'>): number {
  return content.reduce((sum, block) => sum + lengthOfBlock(block), 0);
}

function lengthOfBlock(block: ContentBlock): number {
  if (block.type === 'text') return block.text.length;
  return block.type === 'image' || block.type === 'audio' ? 0 : JSON.stringify(block).length;
}

/** The index after the last item that fits: whole items only. */
function fitItems(items: readonly unknown[], { from, room, least }: Fit): number {
  let length = 0;
  for (let index = from; index < items.length; index += 1) {
    // A hole, or what JSON cannot have, is null in a list.
    length += (JSON.stringify(items[index]) ?? 'null').length + 1;
    if (length > room && index - from >= least) return index;
  }
  return items.length;
}

// How much of a text fits.

/** The index after the last character that fits: after a line if there is one in the second half, or a word, and never within a character. */
export function fitText(text: string, from: number, room: number): number {
  const most = from + Math.max(room, 1);
  if (text.length <= most) return text.length;
  const least = from + Math.floor(room / 2);
  // Only the second half is looked at: each part of a long text would be searched to its beginning.
  const half = text.slice(least, most);
  const end = ['\n', ' '].map((separator) => half.lastIndexOf(separator) + 1).find((place) => place > 0);
  if (end !== undefined) return least + end;
  // The second half of a pair of code units stays with the first, and a part has at least one pair.
  if (!/[\uDC00-\uDFFF]/.test(text.charAt(most))) return most;
  return most - 1 > from ? most - 1 : most + 1;
}
