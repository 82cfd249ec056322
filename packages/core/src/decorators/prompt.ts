/** `@Prompt`: makes a method a prompt that a user can pick. */
import type { ContentBlock, Icon, Meta } from '@sigil-mcp/protocol';
import { addMemberFact, factKind } from '@sigil-mcp/base/facts';
import type { FormSource, SchemaSource } from '@sigil-mcp/schema';
import type { HandlerOf, MethodDecoratorOf } from './method-decorator';

/** The options of a prompt, in addition to its description. */
export interface PromptOptions {
  /** Its name for clients; the method's name if left out. */
  readonly name?: string;
  /** A label for people; clients show the name if left out. */
  readonly title?: string;
  /**
   * Class of its arguments, if the compiler emits no parameter types, or a schema in place of a class; the type of the parameter if left
   * out.
   */
  readonly input?: SchemaSource;
  /**
   * The forms that it may ask users to fill in: mistakes in them are found when the server starts, not when a question is asked. None if
   * left out.
   */
  readonly asks?: readonly FormSource[];
  /** Pictures that clients show for it; none if left out. */
  readonly icons?: readonly Icon[];
  /** Its `_meta` in lists; none if left out. */
  readonly meta?: Meta;
}

/** Written by `@Prompt`. */
export interface PromptFact {
  readonly description: string;
  readonly options: PromptOptions;
}

/** The prompts of a class. */
export const PROMPT = factKind<PromptFact>('prompt');

/**
 * Text and blocks are messages of the user; for other messages the role must be given. An object literal that a method returns without
 * a declared type has a `role` of the type string, so the type here cannot be stricter.
 */
type MessageLike = string | ContentBlock | { readonly role: string; readonly content: object | string };

/** One message or several. */
type Messages = MessageLike | readonly MessageLike[];

/** A result in the format of the protocol, as the official SDK requires. */
interface WrittenPrompt {
  /** In place of the description of the prompt. */
  readonly description?: string;
  readonly messages: readonly { readonly role: string; readonly content: object | string }[];
}

/** The return type of a prompt method; anything else does not compile. */
export type PromptReturn = Messages | WrittenPrompt | Promise<Messages | WrittenPrompt>;

/**
 * Makes a method a prompt. Its arguments are strings on the wire and are converted by the types of the input class. A
 * string becomes a message of the user; a list may hold messages, blocks and strings, and `{ messages }` is a whole result.
 * @param description what the prompt does, for the user who picks it
 * @example
 * ```@Prompt('Plan a day outdoors') planDay({ city }: City): string { return `Plan a day outdoors in ${city}.`; }```
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
 */
export function Prompt<const I extends SchemaSource = never>(
  description: string,
  options: Omit<PromptOptions, 'input'> & {
    /** Class of its arguments, or a schema in place of a class; the type of the parameter if left out. */
    readonly input?: I;
  } = {},
): MethodDecoratorOf<HandlerOf<I, PromptReturn>> {
  return (prototype, member) => addMemberFact(PROMPT, prototype, member, { description, options });
}
