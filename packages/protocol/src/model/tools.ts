/** Tools and their results. */
import type { JsonObject } from '../jsonrpc/message';
import type { ContentBlock } from './content';
import type { CacheHints, Icon, Meta, Page } from './metadata';

/** Untrusted hints about what a tool does. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as it is listed. */
export interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema with `type: "object"` at its root. */
  readonly inputSchema: object;
  /** Any JSON Schema 2020-12; a revision that wants an object root writes `{ result: ... }`. */
  readonly outputSchema?: object;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: Meta;
}

/** Parameters of `tools/call`. */
export interface CallToolParams {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Result of `tools/list`. */
export interface ListToolsResult extends Page, Partial<CacheHints> {
  readonly tools: readonly Tool[];
  readonly _meta?: Meta;
}

/** Result of `tools/call`. */
export interface CallToolResult {
  readonly content: readonly ContentBlock[];
  /** Any JSON value; a revision that wants an object writes `{ result: ... }`. */
  readonly structuredContent?: unknown;
  /**
   * Never travels. What the root of the tool's output schema allows, as `isObjectRooted` says: with `any`, a revision
   * that wants an object wraps every value, even an object, because it lists the schema wrapped. Absent (a tool without
   * an output schema): only values that are no objects are wrapped.
   */
  readonly structuredRoot?: 'object' | 'any';
  /**
   * Never sent as a member of its own. The JSON text of `structuredContent`, from the code that wrote the content last; code that
   * changes the content leaves this out.
   */
  readonly structuredText?: string;
  readonly isError: boolean;
  readonly _meta?: Meta;
}
