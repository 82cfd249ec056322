/** The operations of the specification, and their types by the name of the method. To add one, write it in this folder and add a line here. */
import { INITIALIZE, SERVER_DISCOVER, PING, LOGGING_SET_LEVEL } from './lifecycle';
import type { ParamsOfOperation, ResultOfOperation } from './operation';
import {
  COMPLETION_COMPLETE,
  PROMPTS_GET,
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCES_READ,
  RESOURCES_SUBSCRIBE,
  RESOURCES_TEMPLATES_LIST,
  RESOURCES_UNSUBSCRIBE,
  TOOLS_CALL,
  TOOLS_LIST,
} from './features';
import { SUBSCRIPTIONS_LISTEN } from './subscriptions-listen';

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
