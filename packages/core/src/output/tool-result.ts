/** A tool's result with explicit parts. */
import { requireOptions, type OptionRule } from '@sigil-mcp/base';
import type { ContentBlock, Meta } from '@sigil-mcp/protocol';

/** Compilers name it in the error for a result that was put together by hand: the name says what makes one. */
const madeByToolResult = Symbol.for('sigil.tool-result');

/** The parts of a tool's result, each optional. */
export interface ToolResultInit {
  /** Blocks, or text; the data as text if left out, and nothing without data. */
  readonly content?: readonly (ContentBlock | string)[] | ContentBlock | string | undefined;
  /** Data, checked against the tool's output class if it has one; none if left out. */
  readonly structured?: unknown;
  /** Whether the call failed, in a way that the model should read; false if left out. An output class then takes no data. */
  readonly isError?: boolean | undefined;
  /** What the result travels with as `_meta`; nothing if left out. */
  readonly meta?: Meta | undefined;
}

const PARTS: Readonly<Record<keyof ToolResultInit, OptionRule | undefined>> = {
  content: undefined,
  structured: undefined,
  isError: undefined,
  meta: undefined,
};

/** What a tool's method returns to say its result part by part; made by `toolResult`. */
export interface ToolResult extends ToolResultInit {
  readonly [madeByToolResult]: true;
}

/**
 * Says a tool's result part by part.
 * @throws DefinitionError for a part that does not exist
 * @example return toolResult({ content: [text('Here it is.'), image(png, 'image/png')], structured: { width: 12 } });
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools
 */
export function toolResult(init: ToolResultInit): ToolResult {
  // Spelt out: what a spread makes takes twenty times as long, and every reader of it is slow on it.
  for (const name in init) if (!Object.hasOwn(PARTS, name)) requireOptions('toolResult', init, PARTS);
  const { content, structured, isError, meta } = init;
  return { content, structured, isError, meta, [madeByToolResult]: true };
}

/** Whether a value was made by `toolResult`. */
export function isToolResult(value: unknown): value is ToolResult {
  return typeof value === 'object' && value !== null && madeByToolResult in value;
}
