/** A matcher for the messages of a prompt. */
import type { JsonObject } from '@sigil-mcp/protocol';
import type { Block } from '../results';
import { differences, printBlock, readResult } from './result-matchers';
import {
  asList,
  isText,
  printValue,
  verdict,
  type Equals,
  type MatcherContext,
  type MatcherResult,
  type TextPattern,
} from './matcher';

/** The text of a message, or some members of its block of content. */
type ContentPattern = TextPattern | object;

/** One message: its text, or its role and its content. */
export type MessagePattern = TextPattern | { readonly user: ContentPattern } | { readonly assistant: ContentPattern };

/** The prompt has these messages and no others, in this order. */
export function toHaveMessages(
  this: MatcherContext,
  received: unknown,
  ...patterns: readonly MessagePattern[]
): MatcherResult {
  const { messages } = readResult('toHaveMessages', received, ['messages']);
  // A result of prompts/get; a malformed one shows as a difference.
  const actual = (Array.isArray(messages) ? messages : []) as JsonObject[];
  const wrong = actual.findIndex((message, index) => !fits(message, patterns[index], this.equals));
  const there = asList(actual.map((message, index) => `${index + 1}. ${printMessage(message)}`));
  return verdict(
    actual.length === patterns.length && wrong < 0,
    () =>
      actual.length === patterns.length
        ? `Expected message ${wrong + 1} to be ${printPattern(patterns[wrong])}.\nThere are:\n${there}`
        : `Expected ${patterns.length} ${patterns.length === 1 ? 'message' : 'messages'}, there ${countOf(actual)}${there && `:\n${there}`}`,
    () => `Expected other messages than these:\n${there}`,
  );
}

function countOf({ length }: readonly unknown[]): string {
  if (length === 0) return 'are no messages.';
  return length === 1 ? 'is 1' : `are ${length}`;
}

function fits(message: JsonObject, pattern: MessagePattern | undefined, equals: Equals): boolean {
  if (pattern === undefined) return false;
  const role = roleOf(pattern);
  if (role === undefined) return fitsContent(message, pattern, equals);
  return message['role'] === role && fitsContent(message, contentOf(pattern), equals);
}

function fitsContent({ content }: JsonObject, pattern: ContentPattern, equals: Equals): boolean {
  const block = (content ?? {}) as Block; // as far as it has what is looked at
  if (typeof pattern === 'object' && !(pattern instanceof RegExp) && !('asymmetricMatch' in pattern))
    return differences(block, pattern, equals).length === 0;
  // An asymmetric matcher has the type of the value that it stands for.
  return block.text !== undefined && isText(block.text, pattern as TextPattern, equals);
}

function roleOf(pattern: MessagePattern): 'user' | 'assistant' | undefined {
  if (typeof pattern === 'string') return undefined;
  return 'user' in pattern ? 'user' : 'assistant' in pattern ? 'assistant' : undefined;
}

function contentOf(pattern: MessagePattern): ContentPattern {
  if (typeof pattern === 'string') return pattern;
  return 'user' in pattern ? pattern.user : 'assistant' in pattern ? pattern.assistant : pattern;
}

function printMessage({ role, content }: JsonObject): string {
  // A malformed message is printed as far as possible.
  return `${role as string}: ${printBlock((content ?? {}) as Block)}`;
}

function printPattern(pattern: MessagePattern | undefined): string {
  const role = pattern === undefined ? undefined : roleOf(pattern);
  if (pattern === undefined || role === undefined) return printValue(pattern);
  return `of the ${role}: ${printValue(contentOf(pattern))}`;
}
