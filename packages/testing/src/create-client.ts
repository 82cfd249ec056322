/** `createClient`: a client of a test that knows what the server offers, as types. */
import { typedCalls, type CallTypes, type ServerApi, type TypedCalls } from '@sigil-mcp/client';
import type { ApiOf, Server } from '@sigil-mcp/core';
import type { CallOptions } from './client/call-options';
import type { TestClient } from './client/test-client';
import { connect, type ConnectOptions, type Target } from './connect';
import type { CallToolAnswer, GetPromptAnswer, ReadResourceAnswer } from './results';

/** The options and results of `TestClient`. */
export interface TestCalls extends CallTypes {
  readonly toolOptions: CallOptions;
  readonly toolResult: CallToolAnswer;
  readonly options: Readonly<Record<string, never>>;
  readonly promptResult: GetPromptAnswer;
  readonly resourceResult: ReadResourceAnswer;
}

/** A client of a test with the entries of its server as functions. */
export type TypedTestClient<A extends ServerApi> = TestClient & TypedCalls<A, TestCalls>;

/**
 * Connects a client as `connect` does, with the tools, prompts and resources of the server as functions. They are typed by the features of a
 * server object, and by the type of an API for other targets.
 * @throws as `connect`
 * @example
 * const client = await createClient(server, { revision: '2025-06-18' });
 * const { data } = await client.tools.forecast({ city: 'Oslo' });
 * expect(data?.degrees).toBe(4);
 * @example
 * const client = await createClient<Api>('http://127.0.0.1:3000/mcp');
 */
export async function createClient<P>(target: Server<P>, options?: ConnectOptions): Promise<TypedTestClient<ApiOf<P>>>;
export async function createClient<A extends ServerApi = ServerApi>(
  target: Target,
  options?: ConnectOptions,
): Promise<TypedTestClient<A>>;
export async function createClient(target: Target, options?: ConnectOptions): Promise<TypedTestClient<ServerApi>> {
  const client = await connect(target, options);
  return Object.assign(client, typedCalls<ServerApi, TestCalls>(client));
}
