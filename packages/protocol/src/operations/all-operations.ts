/** The operations of the specification, and their types by the name of the method. To add one, add a file to this folder and a line here. */
import { COMPLETION_COMPLETE } from './completion-complete';
import { INITIALIZE } from './initialize';
import { LOGGING_SET_LEVEL } from './logging-set-level';
import type { ParamsOfOperation, ResultOfOperation } from './operation';
import { PING } from './ping';
import { PROMPTS_GET } from './prompts-get';
import { PROMPTS_LIST } from './prompts-list';
import { RESOURCES_LIST } from './resources-list';
import { RESOURCES_READ } from './resources-read';
import { RESOURCES_SUBSCRIBE } from './resources-subscribe';
import { RESOURCES_TEMPLATES_LIST } from './resources-templates-list';
import { RESOURCES_UNSUBSCRIBE } from './resources-unsubscribe';
import { SERVER_DISCOVER } from './server-discover';
import { SUBSCRIPTIONS_LISTEN } from './subscriptions-listen';
import { TOOLS_CALL } from './tools-call';
import { TOOLS_LIST } from './tools-list';

/** All requests of a client, of all revisions. */
export const ALL_OPERATIONS = [
  INITIALIZE,
  PING,
  SERVER_DISCOVER,
  TOOLS_LIST,
  TOOLS_CALL,
  RESOURCES_LIST,
  RESOURCES_TEMPLATES_LIST,
  RESOURCES_READ,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
  SUBSCRIPTIONS_LISTEN,
  PROMPTS_LIST,
  PROMPTS_GET,
  COMPLETION_COMPLETE,
  LOGGING_SET_LEVEL,
] as const;

type AnyOperation = (typeof ALL_OPERATIONS)[number];

/** The parameters and the result of each operation, by its method. */
export type Operations = {
  [O in AnyOperation as O['method']]: { params: ParamsOfOperation<O>; result: ResultOfOperation<O> };
};

/** The name of an operation. */
export type Method = keyof Operations;

/** The parameters of an operation. */
export type ParamsOf<M extends Method> = Operations[M]['params'];

/** The result of an operation. */
export type ResultOf<M extends Method> = Operations[M]['result'];
