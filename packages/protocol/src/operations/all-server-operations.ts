/** The requests of a server to its client, and their types by the name of the method. To add one, add a file to this folder and a line here. */
import { ELICITATION_CREATE } from './elicitation-create';
import { ROOTS_LIST } from './roots-list';
import { SAMPLING_CREATE_MESSAGE } from './sampling-create-message';
import type { ServerOperation } from './server-operation';

/** All requests of a server, of all revisions. */
export const ALL_SERVER_OPERATIONS = [ELICITATION_CREATE, SAMPLING_CREATE_MESSAGE, ROOTS_LIST] as const;

type AnyOperation = (typeof ALL_SERVER_OPERATIONS)[number];

/** The parameters and the result of each request of a server, by its method. */
export type ServerOperations = {
  [O in AnyOperation as O['method']]: O extends ServerOperation<string, infer P, infer R>
    ? { params: P; result: R }
    : never;
};

/** The name of a request of the server. */
export type ServerMethod = keyof ServerOperations;

/** The parameters of a request of the server. */
export type ServerParamsOf<M extends ServerMethod> = ServerOperations[M]['params'];

/** The answer to a request of the server. */
export type ServerResultOf<M extends ServerMethod> = ServerOperations[M]['result'];

/** A request of the server, in the neutral words. */
export interface ServerRequest<M extends ServerMethod = ServerMethod> {
  readonly method: M;
  readonly params: ServerParamsOf<M>;
}
