/**
 * Makes a failing round as small as it can: fewer conversations, fewer inputs, fewer oddities, shorter messages. The generator
 * would shrink its own random choices one by one, and each attempt at a server that does not answer takes seconds.
 */
import type { Conversation, Input } from './traffic/conversation';

/** Whether conversations, played together, still fail. */
type Fails = (conversations: readonly Conversation[]) => Promise<boolean>;

/**
 * @param until when to stop trying, by `performance.now()`
 * @returns the smallest that was found to fail
 */
export async function makeSmaller(
  failing: readonly Conversation[],
  fails: Fails,
  until: number,
): Promise<readonly Conversation[]> {
  let smallest = failing;
  for (let isSmaller = true; isSmaller && performance.now() < until;) {
    isSmaller = false;
    for (const attempt of smallerRounds(smallest)) {
      if (performance.now() > until) return smallest;
      if (!(await fails(attempt))) continue;
      smallest = attempt;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerRounds(round: readonly Conversation[]): Generator<readonly Conversation[]> {
  yield* fewer(round);
  for (const [index, conversation] of round.entries())
    for (const smaller of smallerConversations(conversation)) yield round.with(index, smaller);
}

function* smallerConversations(conversation: Conversation): Generator<Conversation> {
  for (const inputs of fewer(conversation.inputs)) yield { ...conversation, inputs };
  if (conversation.replies.some((reply) => reply.length > 0)) yield { ...conversation, replies: [[]] };
  for (const [index, input] of conversation.inputs.entries())
    for (const smaller of smallerInputs(input))
      yield { ...conversation, inputs: conversation.inputs.with(index, smaller) };
}

/** Half of a list, a quarter, and so on; single members in the end. */
function* fewer<T>(list: readonly T[]): Generator<readonly T[]> {
  if (list.length < 2) return;
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let start = 0; start < list.length; start += size) {
      const rest = [...list.slice(0, start), ...list.slice(start + size)];
      if (rest.length > 0) yield rest;
    }
}

function* smallerInputs(input: Input): Generator<Input> {
  const { text, http, ...others } = input;
  if (Object.keys(others).length > 0) yield { text, ...(http && { http }) };
  if (http) {
    yield { text, ...others };
    for (const name of Object.keys(http)) yield { text, ...others, http: without(http, name) };
  }
  for (const shorter of shorterTexts(text)) yield { ...input, text: shorter };
}

function without<T extends object>(value: T, name: string): T {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) as T;
}

/** The text without one of its members, however deep; of what is no JSON nothing is known. */
function* shorterTexts(text: string): Generator<string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  const plain = JSON.stringify(value);
  if (plain.length < text.length) yield plain;
  for (const smaller of smallerValues(value, 0)) yield JSON.stringify(smaller);
}

function* smallerValues(value: unknown, depth: number): Generator<unknown> {
  if (depth > 8) return void (yield null);
  if (typeof value === 'string' && value.length > 40) yield value.slice(0, value.length / 2);
  if (Array.isArray(value)) {
    yield* fewer(value as unknown[]);
    for (const [index, item] of (value as unknown[]).entries())
      for (const smaller of smallerValues(item, depth + 1)) yield (value as unknown[]).with(index, smaller);
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) yield without(value, name);
    for (const [name, item] of Object.entries(value))
      for (const smaller of smallerValues(item, depth + 1)) yield { ...value, [name]: smaller };
  }
}
