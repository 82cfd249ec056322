/** Entries that are functions, as values whose types know their names, arguments, results and questions. */
import type { PromptData } from '../kinds/prompt';
import type { ResourceData } from '../kinds/resource-contents';
import type { ToolData } from '../kinds/tool';

declare const typed: unique symbol;

/** Never there: the types of an entry, for `ClientOf`. */
interface Typed<Types> {
  readonly [typed]?: Types;
}

/** A tool that is a function, made by `tool`. */
export interface TypedTool<Types> extends ToolData, Typed<Types> {}

/** A resource that is a function, made by `resource`. */
export interface TypedResource<Types> extends ResourceData, Typed<Types> {}

/** A prompt that is a function, made by `prompt`. */
export interface TypedPrompt<Types> extends PromptData, Typed<Types> {}
