/** Matchers for results: the text, the structured content, single blocks, and errors of tools. */
import { isObject } from '@sigil-mcp/core/adapter';
import type { JsonObject } from '@sigil-mcp/protocol';
import { differences } from './differences';
import { verdict, type Equals, type MatcherContext, type MatcherResult } from './matcher';
import { asList, printValue, shorten } from './print-value';
import { blocksOf, printBlock, readResult, textOf } from './read-result';
import { describePattern, hasText, isText, type TextPattern } from './text-pattern';

/** How much of a text a failure message quotes. */
const QUOTED = 1000;

/** All texts of a result, joined with line breaks, equal this text or match the expression. */
export function toHaveText(this: MatcherContext, received: unknown, pattern: TextPattern): MatcherResult {
  const result = readResult('toHaveText', received, ['content', 'contents', 'messages']);
  const text = textOf(result);
  const expected = describePattern(pattern, 'be');
  return verdict(
    isText(text, pattern, this.equals),
    () => `Expected the text to ${expected},\nbut it is ${quote(text)}.${noteOf(result)}`,
    () => `Expected the text not to ${expected},\nbut it is ${quote(text)}.${noteOf(result)}`,
  );
}

/** The structured content has these members; on revisions without structured content, the JSON text has them. */
export function toHaveStructured(this: MatcherContext, received: unknown, partial: unknown): MatcherResult {
  const result = readResult('toHaveStructured', received, ['content']);
  const structured = structuredOf(result);
  if (structured === undefined)
    return verdict(
      false,
      () =>
        `Expected structured content, but there is none, and the text is no JSON: ${quote(textOf(result))}.${noteOf(result)}`,
      () => '',
    );
  const differing = differencesIn(structured, partial, this.equals);
  return verdict(
    differing.length === 0,
    () => `The structured content is not as expected:\n${asList(differing)}${noteOf(result)}`,
    () => `Expected the structured content not to have ${printValue(partial)},\nbut it is ${printValue(structured)}.`,
  );
}

/** The tool failed, and its result reports it; the text contains this text. */
export function toBeToolError(this: MatcherContext, received: unknown, pattern?: TextPattern): MatcherResult {
  const result = readResult('toBeToolError', received, ['content']);
  const text = textOf(result);
  const isError = result['isError'] === true;
  const expected = pattern === undefined ? '' : describePattern(pattern, 'contain');
  if (!isError)
    return verdict(
      false,
      () =>
        `Expected an error of the tool${expected && `, its text to ${expected}`}, but the call succeeded: ${quote(text)}.`,
      () => '',
    );
  return verdict(
    pattern === undefined || hasText(text, pattern, this.equals),
    () => `Expected the error of the tool to ${expected},\nbut it says ${quote(text)}.`,
    () =>
      expected
        ? `Expected the error of the tool not to ${expected},\nbut it says ${quote(text)}.`
        : `Expected no error of the tool, but there is one: ${quote(text)}.`,
  );
}

/** A content block is of this type, and has these members. */
export function toHaveContent(
  this: MatcherContext,
  received: unknown,
  type: string,
  partial: object = {},
): MatcherResult {
  const blocks = blocksOf(readResult('toHaveContent', received, ['content', 'messages']));
  const ofType = blocks.filter((block) => block.type === type);
  const found = ofType.find((block) => differences(block, partial, this.equals).length === 0);
  const wanted = `a block of type ${printValue(type)}${Object.keys(partial).length > 0 ? ` with ${printValue(partial)}` : ''}`;
  const [only] = ofType;
  return verdict(
    found !== undefined,
    () =>
      ofType.length === 1 && only
        ? `There is one block of type ${printValue(type)}, but not as expected:\n${asList(differences(only, partial, this.equals))}`
        : `Expected ${wanted}.\n${blocks.length > 0 ? `There are:\n${asList(blocks.map(printBlock))}` : 'There is no content.'}`,
    () => `Expected no ${wanted.slice(2)},\nbut there is ${printBlock(found ?? {})}.`,
  );
}

function quote(text: string): string {
  return JSON.stringify(shorten(text, QUOTED));
}

function noteOf(result: JsonObject): string {
  return result['isError'] === true ? '\nThe result is an error of the tool (isError).' : '';
}

function structuredOf(result: JsonObject): unknown {
  if (result['structuredContent'] !== undefined) return result['structuredContent'];
  try {
    return JSON.parse(textOf(result));
  } catch {
    return undefined;
  }
}

/** The differences of structured content. If a revision had to wrap the value in an object, the wrapped value is compared, too. */
function differencesIn(structured: unknown, partial: unknown, equals: Equals): string[] {
  const direct = differences(structured, partial, equals);
  if (direct.length === 0 || !isWrapped(structured)) return direct;
  const inside = differences(structured.result, partial, equals);
  return inside.length === 0 || !isObject(partial) || !('result' in partial) ? inside : direct;
}

function isWrapped(value: unknown): value is { readonly result: unknown } {
  return isObject(value) && 'result' in value && Object.keys(value).length === 1;
}
