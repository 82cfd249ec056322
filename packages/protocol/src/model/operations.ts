/** Every request that a client can make, by its newest name, with its parameters and its result. */
import type { CompleteParams, CompleteResult } from './completion';
import type { DiscoverResult, InitializeParams, InitializeResult } from './lifecycle';
import type { SetLevelParams } from './logging';
import type { GetPromptParams, GetPromptResult, ListPromptsResult } from './prompts';
import type {
  ListResourceTemplatesResult,
  ListResourcesResult,
  ReadResourceResult,
  ResourceUriParams,
} from './resources';
import type { ListenParams, ListenResult } from './subscriptions';
import type { CallToolParams, CallToolResult, ListToolsResult } from './tools';

/** Parameters of a list request. */
export interface ListParams {
  readonly cursor?: string;
}

/** No parameters. */
export type NoParams = Readonly<Record<never, never>>;

/** No result beyond the fact that it worked. */
export type EmptyResult = Readonly<Record<never, never>>;

/** Method name -> parameters and result, in the neutral words. */
export interface Operations {
  initialize: { params: InitializeParams; result: InitializeResult };
  ping: { params: NoParams; result: EmptyResult };
  'server/discover': { params: NoParams; result: DiscoverResult };
  'tools/list': { params: ListParams; result: ListToolsResult };
  'tools/call': { params: CallToolParams; result: CallToolResult };
  'resources/list': { params: ListParams; result: ListResourcesResult };
  'resources/templates/list': { params: ListParams; result: ListResourceTemplatesResult };
  'resources/read': { params: ResourceUriParams; result: ReadResourceResult };
  'resources/subscribe': { params: ResourceUriParams; result: EmptyResult };
  'resources/unsubscribe': { params: ResourceUriParams; result: EmptyResult };
  'subscriptions/listen': { params: ListenParams; result: ListenResult };
  'prompts/list': { params: ListParams; result: ListPromptsResult };
  'prompts/get': { params: GetPromptParams; result: GetPromptResult };
  'completion/complete': { params: CompleteParams; result: CompleteResult };
  'logging/setLevel': { params: SetLevelParams; result: EmptyResult };
}

/** The name of an operation. */
export type Method = keyof Operations;

/** What an operation takes. */
export type ParamsOf<M extends Method> = Operations[M]['params'];

/** What an operation gives. */
export type ResultOf<M extends Method> = Operations[M]['result'];
