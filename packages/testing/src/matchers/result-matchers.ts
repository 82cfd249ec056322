/** Matchers for results: the text, the structured content, single blocks, and errors of tools. */
import { isObject, parseJson } from '@sigil-mcp/core/internal';
import type { JsonObject } from '@sigil-mcp/protocol';
import {
  asList,
  describePattern,
  hasText,
  isAsymmetric,
  isText,
  printValue,
  shorten,
  verdict,
  type Equals,
  type MatcherContext,
  type MatcherResult,
  type TextPattern,
} from './matcher';
import type { Block } from '../results';
import { testingError } from '../errors';

/** The members that hold the content of results. */
type ContentMember = 'content' | 'contents' | 'messages';

const CALLS: Readonly<Record<ContentMember, string>> = {
  content: 'callTool(…)',
  contents: 'readResource(…)',
  messages: 'getPrompt(…)',
};

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
  return result['structuredContent'] === undefined ? parseJson(textOf(result)) : result['structuredContent'];
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

/**
 * Members that are not expected may be there; lists are compared as a whole. A regular expression stands for a text that it
 * matches, and `expect.any()` and similar matchers for values that they match.
 * @param path of `actual`, for the lines that are returned
 * @returns a line for each difference; empty if there is no difference
 */
export function differences(actual: unknown, expected: unknown, equals: Equals, path = ''): string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) return inList(actual, expected, equals, path);
  if (isPlain(expected) && isPlain(actual)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(actual[name], value, equals, path === '' ? name : `${path}.${name}`),
    );
  }
  const fits =
    expected instanceof RegExp && typeof actual === 'string' ? actual.search(expected) >= 0 : equals(actual, expected);
  return fits ? [] : [`${path || 'the whole'}: expected ${printValue(expected)}, there is ${there(actual)}`];
}

function inList(actual: readonly unknown[], expected: readonly unknown[], equals: Equals, path: string): string[] {
  if (actual.length !== expected.length)
    return [
      `${path || 'the list'}: expected ${expected.length} elements, there are ${actual.length}: ${printValue(actual)}`,
    ];
  return expected.flatMap((value, index) => differences(actual[index], value, equals, `${path}[${index}]`));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof RegExp) &&
    !isAsymmetric(value)
  );
}

function there(actual: unknown): string {
  return actual === undefined ? 'nothing' : printValue(actual);
}

/**
 * A result that has one of the members.
 * @throws SigilError if the value is not a result, such as a promise that was not awaited
 */
export function readResult(matcher: string, received: unknown, members: readonly ContentMember[]): JsonObject {
  const example = `expect(await client.${CALLS[members[0] ?? 'content']}).${matcher}(…)`;
  if (received instanceof Promise)
    throw testingError('SIGIL_TEST_MATCHER_RESULT', { matcher, received: 'a promise', example });
  // Its members are checked before they are used.
  const result = (typeof received === 'object' && received !== null ? received : {}) as JsonObject;
  if (members.some((member) => member in result)) return result;
  if (result['resultType'] === 'input_required')
    throw testingError('SIGIL_TEST_MATCHER_QUESTION', { matcher, methods: methodsOf(result) });
  throw testingError('SIGIL_TEST_MATCHER_RESULT', { matcher, received: printValue(received), example });
}

/** The blocks of content of any kind of result; pieces of a resource count as such. */
function blocksOf({ content, contents, messages }: JsonObject): Block[] {
  const inMessages = asObjects(messages).map((message) => message['content'] ?? {});
  return [...asObjects(content), ...asObjects(contents), ...asObjects(inMessages)];
}

/** All texts of a result, a line break between two. */
export function textOf(result: JsonObject): string {
  const texts = blocksOf(result).map(({ text }) => text);
  return texts.filter((text) => typeof text === 'string').join('\n');
}

/** A block in readable form: its text, or its type and its size. */
export function printBlock({ type = 'a piece', text, data, blob, ...rest }: Block): string {
  if (text !== undefined) return `${type} ${printValue(text)}`;
  const base64 = data ?? blob;
  const size = typeof base64 === 'string' ? [`${base64.length} characters of base64`] : [];
  return [type, ...(Object.keys(rest).length > 0 ? [printValue(rest)] : []), ...size].join(', ');
}

function methodsOf({ inputRequests }: JsonObject): string {
  // Each is a request with its method.
  const requests = Object.values((inputRequests ?? {}) as Record<string, { method: string }>);
  return requests.map(({ method }) => method).join(', ');
}

/** The objects of a list; other elements are not content. */
function asObjects(list: unknown): JsonObject[] {
  const elements: unknown[] = Array.isArray(list) ? list : [];
  return elements.filter((element): element is JsonObject => typeof element === 'object' && element !== null);
}
