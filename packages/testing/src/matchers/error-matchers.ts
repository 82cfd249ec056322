/** A matcher for thrown errors: an error response of the server. */
import { ERROR_CODES } from '@sigil-mcp/protocol';
import { verdict, type MatcherContext, type MatcherResult } from './matcher';
import { printValue } from './print-value';
import { describePattern, hasText, type TextPattern } from './text-pattern';

/** The server answered with an error of this code, and its message contains this text. */
export function toBeRpcError(
  this: MatcherContext,
  received: unknown,
  code?: number,
  message?: TextPattern,
): MatcherResult {
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
