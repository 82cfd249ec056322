/** A tool's result where its init have to be said one by one. */
import type { ContentBlock, Meta } from '@sigil-mcp/protocol';

const TOOL_RESULT = Symbol.for('sigil.tool-result');

/** The init of a tool's result, each optional. */
export interface ToolResultInit {
  /** Blocks, or text. */
  readonly content?: readonly (ContentBlock | string)[] | ContentBlock | string;
  /** Data; checked against the tool's output class, if it has one. */
  readonly structured?: unknown;
  readonly isError?: boolean;
  readonly meta?: Meta;
}

/** Made by `toolResult`. */
export interface ToolResult extends ToolResultInit {
  readonly [TOOL_RESULT]: true;
}

/**
 * Says a tool's result part by part.
 * @example return toolResult({ content: [text('Here it is.'), image(png, 'image/png')], structured: { width: 12 } });
 */
export function toolResult(init: ToolResultInit): ToolResult {
  return { ...init, [TOOL_RESULT]: true };
}

/** Whether a value was made by `toolResult`. */
export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && TOOL_RESULT in value;
}
