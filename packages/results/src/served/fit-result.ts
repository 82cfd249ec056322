/** A result that is too long -> one that fits, and what was cut is kept. */
import { isObject } from '@sigil-mcp/core/internal';
import type { ListPlace } from '../schemas';
import { lengthOf, listPart, type FittedResult, textPart } from './parts';
import type { ListRest, FileRest, Rest } from './kept-rests';
import { type ContentBlock, resourceLink, text } from '@sigil-mcp/core';
import { restUri } from '../names';

/** What content is fitted with. */
export interface Fitting {
  readonly tool: string;
  /** Characters of all blocks together. */
  readonly characters: number;
  /** Keeps a rest. @returns its id; undefined if it is not kept */
  readonly keep: (rest: Rest) => Promise<string | undefined>;
}

type Embedded = Extract<ContentBlock, { readonly type: 'resource' }>;

/** What the results of one tool are fitted with. */
export interface ResultFitting extends Fitting {
  /** The list of its output; undefined without a declared output. */
  readonly place: ListPlace | undefined;
}

/** Whether a result is as long as it may be, at most. */
export function fits(answer: FittedResult, characters: number): boolean {
  const { structuredContent } = answer;
  if (lengthOf(answer) > characters) return false;
  return structuredContent === undefined || textOf(answer).length <= characters;
}

/** The result, or what fits of it. */
export async function fitResult(answer: FittedResult, fitting: ResultFitting): Promise<FittedResult> {
  const { structuredContent, _meta } = answer;
  if (structuredContent === undefined || answer.isError) return withContent(answer, fitting);
  const isRepeated = isTextOfData(answer);
  const list = listIn(structuredContent, fitting);
  // Data without a schema need not be there.
  if (!list) return isRepeated && fitting.place === undefined ? withContent(withoutData(answer), fitting) : answer;
  const cut = await cutList(answer, list, fitting);
  const content = isRepeated ? cut.content : [...(await fitContent(answer.content, fitting)), ...cut.content.slice(1)];
  return { ...cut, content, ...(_meta && { _meta }) };
}

/** What was kept, and the first part of it. */
async function cutList(answer: FittedResult, list: ListRest, { characters, keep, place }: ResultFitting) {
  if (textOf(answer).length <= characters) return { ...answer, content: answer.content.slice(0, 1) };
  const id = await keep(list);
  return listPart(list, { id, from: 0, characters }, place?.least ?? 0);
}

async function withContent(answer: FittedResult, fitting: Fitting): Promise<FittedResult> {
  return { ...answer, content: await fitContent(answer.content, fitting) };
}

function withoutData({ content, isError, _meta }: FittedResult): FittedResult {
  return { content, isError, ...(_meta && { _meta }) };
}

/** Whether the content is nothing but the data as text. */
function isTextOfData(answer: FittedResult): boolean {
  const [first, ...others] = answer.content;
  return first?.type === 'text' && others.length === 0 && first.text === textOf(answer);
}

function textOf({ structuredContent, structuredText }: FittedResult): string {
  return structuredText ?? JSON.stringify(structuredContent);
}

/** The list that can be cut: the declared one, or the longest of data without a schema. */
function listIn(data: unknown, { tool, place }: ResultFitting): ListRest | undefined {
  if (Array.isArray(data))
    return place ? undefined : { kind: 'list', tool, list: undefined, data: {}, items: data as readonly unknown[] };
  if (!isObject(data)) return undefined;
  const list = place ? place.list : longestList(data);
  const items = list === undefined ? undefined : data[list];
  if (list === undefined || !Array.isArray(items)) return undefined;
  return { kind: 'list', tool, list, data: { ...data, [list]: [] }, items: items as readonly unknown[] };
}

function longestList(data: Readonly<Record<string, unknown>>): string | undefined {
  const lists = Object.entries(data).filter(([, value]) => Array.isArray(value));
  const lengths = lists.map(([name, value]) => [name, JSON.stringify(value).length] as const);
  return lengths.sort(([, one], [, other]) => other - one)[0]?.[0];
}

/** The blocks, or what fits of them. Pictures and sounds stay: they are no text for a model. */
export async function fitContent(blocks: readonly ContentBlock[], fitting: Fitting): Promise<readonly ContentBlock[]> {
  if (lengthOf({ content: blocks }) <= fitting.characters) return blocks;
  const linked = await Promise.all(blocks.map((block) => asLink(block, fitting)));
  if (lengthOf({ content: linked }) <= fitting.characters) return linked;
  return fitTexts(linked, fitting);
}

/** A file that is longer than a quarter of the budget becomes a link to it. */
async function asLink(block: ContentBlock, fitting: Fitting): Promise<ContentBlock> {
  if (block.type !== 'resource' || lengthOf({ content: [block] }) <= fitting.characters / 4) return block;
  return link(block, fitting);
}

async function link({ resource }: Embedded, { tool, keep }: Fitting): Promise<ContentBlock> {
  const { uri, mimeType, text: written, blob } = resource;
  const size = written === undefined ? Buffer.byteLength(blob ?? '', 'base64') : Buffer.byteLength(written);
  const file: FileRest = {
    kind: 'file',
    tool,
    ...(mimeType !== undefined && { mimeType }),
    ...(written === undefined ? { blob: blob ?? '' } : { text: written }),
  };
  const id = await keep(file);
  if (id === undefined) return text(`${uri} has ${size} bytes, too many for this result, and was not kept.`);
  return resourceLink({ uri: restUri(id, 0), name: uri, ...(mimeType !== undefined && { mimeType }), size });
}

/** The first texts stay, as far as they fit, and all others are the rest. */
async function fitTexts(blocks: readonly ContentBlock[], { tool, characters, keep }: Fitting) {
  const others = blocks.filter(({ type }) => type !== 'text');
  const whole = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  if (whole === '') return blocks;
  const rest = { kind: 'text', tool, text: whole } as const;
  const id = await keep(rest);
  const room = Math.max(characters - lengthOf({ content: others }), characters / 2);
  return [...textPart(rest, { id, from: 0, characters: room }), ...others];
}
