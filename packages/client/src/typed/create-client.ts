/** `createClient`: a client that knows what its server offers, as types. */
import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@sigil-mcp/protocol';
import type { Client } from '../client/client';
import type { RequestOptions } from '../client/client-request';
import type { QuestionHandlers } from '../client/question-handlers';
import type { ToolCallOptions } from '../client/task-handle';
import type { ClientOptions } from '../client-options';
import { connect, type ConnectTarget } from '../connect';
import type { ServerApi } from './server-api';
import type { TypedCalls } from './typed-calls';
import { typedCalls } from './typed-client';
import type { HandlersFor } from './typed-handlers';

/** The options and results of `Client`. */
export interface ClientCalls {
  readonly toolOptions: ToolCallOptions;
  readonly toolResult: CallToolResult;
  readonly options: RequestOptions;
  readonly promptResult: GetPromptResult;
  readonly resourceResult: ReadResourceResult;
}

/** A client of one server: its entries as functions, and everything that a `Client` has. */
export type TypedClient<A extends ServerApi> = Client & TypedCalls<A, ClientCalls>;

/** The options of a client of this server, whose entries demand handlers for their questions. */
export type TypedClientOptions<A extends ServerApi> = Omit<ClientOptions, keyof QuestionHandlers> & HandlersFor<A>;

/**
 * Connects to a server whose entries are known as types, from `ClientOf` of `@sigil-mcp/core` or a file that `sigil types` wrote. The types
 * are trusted, not checked: the server checks arguments, and its answers are passed on. If an entry declares questions, the options must have
 * handlers for them.
 * @throws as `connect`
 * @example
 * import type { Api } from './server';
 * const client = await createClient<Api>({ url: 'https://example.com/mcp' });
 * const answer = await client.tools.forecast({ city: 'Oslo' });
 * if (!answer.isError) console.log(answer.data.degrees);
 */
export async function createClient<A extends ServerApi = ServerApi>(
  target: ConnectTarget,
  ...[options]: Record<string, never> extends TypedClientOptions<A>
    ? [options?: TypedClientOptions<A>]
    : [options: TypedClientOptions<A>]
): Promise<TypedClient<A>> {
  const client = await connect(target, options);
  return Object.assign(client, typedCalls<A, ClientCalls>(client));
}
