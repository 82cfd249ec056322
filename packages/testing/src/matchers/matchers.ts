/** All matchers, for `expect.extend(matchers)`, and their types for jest. */
import { toHaveInvalidArguments } from './argument-matchers';
import { toBeRpcError } from './error-matchers';
import { toListPrompt, toListResource, toListTool } from './list-matchers';
import { toHaveMessages, type MessagePattern } from './message-matchers';
import { toBeToolError, toHaveContent, toHaveStructured, toHaveText } from './result-matchers';
import type { TextPattern } from './text-pattern';

/**
 * For `expect.extend`, in jest and in vitest. Importing `@sigil-mcp/testing/matchers` adds them, and so does the jest preset.
 * @example
 * expect.extend(matchers);
 */
export const matchers = {
  toHaveText,
  toHaveStructured,
  toBeToolError,
  toHaveInvalidArguments,
  toHaveContent,
  toHaveMessages,
  toListTool,
  toListResource,
  toListPrompt,
  toBeRpcError,
};

/**
 * The matchers that `expect(…)` then has. For jest's global `expect` the types are declared; for other test runners, declare them.
 * @example
 * declare module 'vitest' {
 *   interface Matchers<T> extends SigilMatchers<T> {}
 * }
 */
export interface SigilMatchers<R> {
  /**
   * The texts of a result (of a tool, a resource or a prompt), joined with line breaks, equal this text or match the expression.
   * @example expect(await client.callTool('greet', { name: 'Ada' })).toHaveText('Hello, Ada!');
   */
  toHaveText(text: TextPattern): R;
  /**
   * The structured content has at least these members; in them, a regular expression stands for a text. On revisions without
   * structured content the JSON text is compared; a value that had to be wrapped in an object is unwrapped.
   * @example expect(await client.callTool('compare', { cities })).toHaveStructured({ warmest: 'Cairo' });
   */
  toHaveStructured(partial: unknown): R;
  /**
   * The tool failed (`isError`), and its text contains this.
   * @example expect(await client.callTool('forecast', { city: 'Olso' })).toBeToolError('Did you mean Oslo?');
   */
  toBeToolError(text?: TextPattern): R;
  /**
   * The server refused the arguments of this call, and its message contains this. Pass the promise of the call: since 2025-11-25 it
   * resolves with an error of the tool, before it is rejected.
   * @example await expect(client.callTool('greet', { name: 7 })).toHaveInvalidArguments('name: must be a string');
   */
  toHaveInvalidArguments(text?: TextPattern): Promise<void>;
  /**
   * A content block is of this type and has at least these members.
   * @example expect(await client.callTool('chart')).toHaveContent('image', { mimeType: 'image/png' });
   */
  toHaveContent(type: string, partial?: object): R;
  /**
   * A prompt has these messages, in this order: texts, or roles with their content.
   * @example expect(await client.getPrompt('plan', { city: 'Oslo' })).toHaveMessages({ user: /Oslo/ }, { assistant: 'Gladly.' });
   */
  toHaveMessages(...messages: readonly MessagePattern[]): R;
  /**
   * The server lists this tool to this client, on any page, with at least these members.
   * @example await expect(client).toListTool('forecast', { description: /weather/i });
   */
  toListTool(name: string, partial?: object): Promise<void>;
  /** As `toListTool`, by the URI of a resource or the URI template of a template. */
  toListResource(uri: string, partial?: object): Promise<void>;
  /** As `toListTool`, for a prompt. */
  toListPrompt(name: string, partial?: object): Promise<void>;
  /**
   * The server answered with an error of this code, and its message contains this.
   * @example await expect(client.callTool('nothing')).rejects.toBeRpcError(-32602, 'Unknown tool');
   */
  toBeRpcError(code?: number, message?: TextPattern): R;
}

declare global {
  // jest's own types are a global namespace, and this is the way to add to it.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    // The type parameters must be those of jest's types.
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/no-unused-vars
    interface Matchers<R, T = {}> extends SigilMatchers<R> {}
  }
}
