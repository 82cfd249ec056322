/** Around a tool with a budget: its results are cut, and a cursor is answered without the tool. */
import { text, type EntryStage, type ExtensionCall, type ExtensionServices, type MaybePromise } from '@sigil-mcp/core';
import { isObject, isPromise } from '@sigil-mcp/core/internal';
import { CURSOR } from '../names';
import type { ListPlace } from '../schemas';
import { fitResult, fits, type ResultFitting } from './fit-result';
import type { KeptRests } from './kept-rests';
import { listPart, readCursor, textPart, type FittedResult } from './parts';

/** A tool with a budget. */
export interface BudgetedTool {
  readonly tool: string;
  readonly characters: number;
  /** Milliseconds that the rest is kept. */
  readonly ttl: number;
  /** The list of its output; undefined without a declared output. */
  readonly place: ListPlace | undefined;
}

/** For authors. */
const TOO_LONG = 'A result is longer than its budget, because only a list or a text of it can be cut';

/** What there is of one server while it runs. */
export interface StartedBudgets {
  readonly rests: KeptRests;
  readonly services: ExtensionServices;
}

/** The stage of a tool. */
export function budgetStage(tool: BudgetedTool): EntryStage<StartedBudgets> {
  let wasTold = false;
  /** What cannot be cut down to its budget says so: each time to the model, and once to the author. */
  const told = (result: FittedResult, { logger }: ExtensionServices): FittedResult => {
    if (fits(result, tool.characters)) return result;
    if (!wasTold) logger.warn({ tool: tool.tool, budget: tool.characters }, TOO_LONG);
    wasTold = true;
    const words = `This result is longer than its budget of ${tool.characters} characters, and cannot be cut any more.`;
    return { ...result, content: [...result.content, text(words)] };
  };
  return {
    isForEveryone: true,
    run(call, next, { rests, services }) {
      const cursor = cursorOf(call);
      if (cursor !== undefined) return continued(cursor, call, tool, rests).then((part) => told(part, services));
      // The result of a tool.
      const answer = next(withoutCursor(call.arguments)) as MaybePromise<FittedResult>;
      const fit = (whole: FittedResult): MaybePromise<object> => {
        // A task, or another result of an extension.
        if (!Array.isArray(whole.content) || fits(whole, tool.characters)) return whole;
        const keep: ResultFitting['keep'] = (rest) => rests.keep(rest, call, tool.ttl);
        return fitResult(whole, { ...tool, keep }).then((part) => told(part, services));
      };
      return isPromise(answer) ? answer.then(fit) : fit(answer);
    },
  };
}

/** In place of a cursor that is no text: it is not one of any tool. */
const NO_CURSOR = '?';

/** Models fill in an empty cursor where they have none: that is the beginning. */
function isEmpty(cursor: unknown): boolean {
  return cursor === '' || cursor === null;
}

/** The cursor of a call; undefined for the beginning. What converts the arguments of an old name does not know of it. */
function cursorOf({ arguments: given, alias, params }: ExtensionCall): string | undefined {
  const own = memberOf(given);
  if (own !== undefined) return isEmpty(own) ? undefined : typeof own === 'string' ? own : NO_CURSOR;
  const sent = alias === undefined ? undefined : memberOf(Reflect.get(params, 'arguments'));
  return typeof sent === 'string' && readCursor(sent) ? sent : undefined;
}

function memberOf(given: unknown): unknown {
  return isObject(given) && Object.hasOwn(given, CURSOR) ? given[CURSOR] : undefined;
}

/** The arguments without an empty cursor; undefined if they are fine as they are. */
function withoutCursor(given: unknown): { readonly arguments: object } | undefined {
  if (!isObject(given) || !Object.hasOwn(given, CURSOR) || !isEmpty(given[CURSOR])) return undefined;
  const { [CURSOR]: _, ...others } = given;
  return { arguments: others };
}

/** The next part of an earlier result. */
async function continued(
  cursor: string,
  { context }: ExtensionCall,
  { tool, characters, place }: BudgetedTool,
  rests: KeptRests,
): Promise<FittedResult> {
  const read = readCursor(cursor);
  const rest = read && (await rests.find(read.id, context));
  if (!read || rest?.tool !== tool) return unknownCursor();
  const part = { ...read, characters };
  if (rest.kind === 'list' && part.from < rest.items.length) return listPart(rest, part, place?.least ?? 0);
  if (rest.kind === 'text' && part.from < rest.text.length) return { content: textPart(rest, part), isError: false };
  return unknownCursor();
}

function unknownCursor(): FittedResult {
  const words = 'This cursor is not one of this tool, or the result has expired. Call the tool again without a cursor.';
  return { content: [text(words)], isError: true };
}
