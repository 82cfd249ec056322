/** All matchers, for `expect.extend(matchers)`, and their types for jest. */
import { toListPrompt, toListResource, toListTool } from './list-matchers';
import { toHaveMessages, type MessagePattern } from './message-matchers';
import { toBeToolError, toHaveContent, toHaveStructured, toHaveText, textOf } from './result-matchers';
import { ERROR_CODES } from '@sigil-mcp/protocol';
import {
  describePattern,
  hasText,
  printValue,
  verdict,
  type MatcherContext,
  type MatcherResult,
  type TextPattern,
} from './matcher';

/** How the answers begin; a handler that fails by itself says something else. */
const BEGINNING = 'Invalid arguments';

/** What came of a call, as a sentence shows it. */
interface CallOutcome {
  readonly shown: string;
  /** The message, if the arguments were refused. */
  readonly refusal?: string;
}

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

/** The server answered with an error of this code, and its message contains this text. */
function toBeRpcError(this: MatcherContext, received: unknown, code?: number, message?: TextPattern): MatcherResult {
  const wanted = [
    ...(code === undefined ? [] : [`the code ${printCode(code)}`]),
    ...(message === undefined ? [] : [`a message to ${describePattern(message, 'contain')}`]),
  ].join(' and ');
  if (!isRpcError(received))
    return verdict(
      false,
      () => `Expected an error response of the server${wanted && ` with ${wanted}`}, but got ${instead(received)}`,
      () => '',
    );
  const there = `${printCode(received.code)}: ${printValue(received.message)}`;
  const isCode = code === undefined || received.code === code;
  return verdict(
    isCode && (message === undefined || hasText(received.message, message, this.equals)),
    () => `Expected an error response of the server with ${wanted},\nbut it is ${there}.`,
    () => `Expected no error response of the server${wanted && ` with ${wanted}`},\nbut there is ${there}.`,
  );
}

/** Whether a value is an `RpcError`, by its shape: if modules are loaded twice, so is the class. */
function isRpcError(received: unknown): received is Error & { readonly code: number } {
  return received instanceof Error && 'code' in received && typeof received.code === 'number';
}

function printCode(code: number): string {
  const name = Object.entries(ERROR_CODES).find(([, known]) => known === code)?.[0];
  return name === undefined ? String(code) : `${code} (${name})`;
}

function instead(received: unknown): string {
  if (received instanceof Promise) return 'a promise. Write: await expect(client.callTool(…)).rejects.toBeRpcError(…).';
  const isToolError = typeof received === 'object' && received !== null && 'isError' in received;
  const hint = isToolError ? ' Errors of tools are results: see toBeToolError().' : '';
  return `${printValue(received).replace(/\.$/, '')}.${hint}`;
}

/**
 * The server refused the arguments of this call, and its message contains this text.
 *
 * A matcher for calls whose arguments are refused. Since 2025-11-25 the server answers with a result that is an error of the tool, and
 * before with an error response; a test of several revisions needs not know that.
 */
async function toHaveInvalidArguments(
  this: MatcherContext,
  call: unknown,
  pattern?: TextPattern,
): Promise<MatcherResult> {
  const { refusal, shown } = await outcomeOf(call);
  const wanted = pattern === undefined ? '' : ` with a message to ${describePattern(pattern, 'contain')}`;
  return verdict(
    refusal !== undefined && (pattern === undefined || hasText(refusal, pattern, this.equals)),
    () => `Expected the server to refuse the arguments${wanted},\nbut ${shown}.`,
    () => `Expected the server not to refuse the arguments${wanted},\nbut ${shown}.`,
  );
}

/** @param call the promise of a call; its result is accepted, too */
async function outcomeOf(call: unknown): Promise<CallOutcome> {
  try {
    const result: unknown = await call;
    // Its members are checked before they are used.
    const given = (typeof result === 'object' && result !== null ? result : {}) as Parameters<typeof textOf>[0];
    const text = textOf(given);
    const isRefused = given['isError'] === true && text.startsWith(BEGINNING);
    if (isRefused) return { refusal: text, shown: `it said ${printValue(text)}` };
    return { shown: `the result is ${printValue(result)}` };
  } catch (error) {
    if (!(error instanceof Error)) return { shown: `the call threw ${printValue(error)}` };
    const isRefused = codeOf(error) === ERROR_CODES['invalid-params'] && error.message.startsWith(BEGINNING);
    if (isRefused) return { refusal: error.message, shown: `it said ${printValue(error.message)}` };
    return { shown: `the call failed with ${printValue(error.message)}` };
  }
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}
