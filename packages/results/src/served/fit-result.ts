/** A result that is too long -> one that fits, and what was cut is kept. */
import { isObject } from '@sigil-mcp/core/adapter';
import type { ListPlace } from '../schemas';
import { fitContent, type Fitting } from './fit-content';
import { lengthOf, listPart, type FittedResult } from './parts';
import type { ListRest } from './rest';

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
