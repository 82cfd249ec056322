/** Reads the content of a result that a test passes to a matcher, or throws an error that says what the value is instead. */
import type { JsonObject } from '@sigil-mcp/protocol';
import type { Block } from '../results';
import { printValue } from './print-value';
import { testingError } from '../errors';

/** The members that hold the content of results. */
export type ContentMember = 'content' | 'contents' | 'messages';

const CALLS: Readonly<Record<ContentMember, string>> = {
  content: 'callTool(…)',
  contents: 'readResource(…)',
  messages: 'getPrompt(…)',
};

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
export function blocksOf({ content, contents, messages }: JsonObject): Block[] {
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
