/** `@Prompt`: makes a method a prompt that a user can pick. */
import type { ContentBlock, Icon, Meta } from '@sigil-mcp/protocol';
import { addMemberFact, factKind } from '../facts/facts';
import type { FormSource, SchemaSource } from '../schema/infer';
import type { HandlerOf, MethodDecoratorOf } from './method-decorator';

/** What a prompt may say beside its description. */
export interface PromptOptions {
  /** What clients call it by; the method's name if left out. */
  readonly name?: string;
  /** A label for people; clients show the name if left out. */
  readonly title?: string;
  /**
   * Class of its arguments, where the compiler emits no parameter types, or a schema in place of a class; the type of the parameter
   * if left out.
   */
  readonly input?: SchemaSource;
  /**
   * The forms that it may ask users to fill in: a mistake in one is found when the server starts, not when it is asked. None if left
   * out.
   */
  readonly asks?: readonly FormSource[];
  /** Pictures that clients show for it; none if left out. */
  readonly icons?: readonly Icon[];
  /** What it is listed with as `_meta`; nothing if left out. */
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
 * Text and blocks are messages of the user; where the role has to be said, it is. An object literal that a method returns without
 * a declared type has a `role` of the type string, so no more is asked of it here.
 */
type MessageLike = string | ContentBlock | { readonly role: string; readonly content: object | string };

/** One message or several. */
type Messages = MessageLike | readonly MessageLike[];

/** What a prompt returns, now or later; anything else does not compile. */
export type PromptReturn = Messages | Promise<Messages>;

/**
 * Makes a method a prompt. Its arguments are strings on the wire and are converted by the types of the input class. A
 * string becomes a message of the user; a list may hold messages, blocks and strings.
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
