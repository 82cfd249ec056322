/** Requests whose parameters are sent, and whose results are given, as they are: a user looks at what the server sends. */
import { isObject } from '@sigil-mcp/base';
import { ALL_OPERATIONS, type Method, type Operation, type ResultOf } from '@sigil-mcp/protocol';
import { protocolError } from '../failure';

/** A method of the protocol. Its result is checked, and has no `resultType`, which tells nothing to a user. */
export function asSent<M extends Method>(method: M): Operation<M, object, ResultOf<M>> {
  return {
    method,
    compile(wire) {
      const known = ALL_OPERATIONS.find((one) => one.method === method)?.compile(wire);
      return {
        readParams: (params) => params,
        writeParams: (params) => ({ ...params }),
        writeResult: (result) => ({ ...result }),
        readResult(result) {
          known?.readResult(result);
          return withoutType(result) as ResultOf<M>; // it was checked
        },
      };
    },
  };
}

/** Entries whose texts can be shown. @throws CliFailure for an entry that does not fit the protocol */
export function shownEntries<Entry extends object>(entries: readonly Entry[]): readonly Entry[] {
  const wrong = entries.map(problemOf).find((problem) => problem !== undefined);
  if (wrong === undefined) return entries;
  throw protocolError('SIGIL_CLI_ANSWER_INVALID', { reason: `${wrong}.` });
}

function problemOf(entry: object): string | undefined {
  const members: Readonly<Record<string, unknown>> = { ...entry };
  const text = ['title', 'description', 'mimeType'].find(
    (name) => !['string', 'undefined'].includes(typeof members[name]),
  );
  if (text !== undefined) return `the ${text} of an entry must be a string`;
  const { arguments: given = [] } = members;
  const areNamed = Array.isArray(given) && given.every((one) => isObject(one) && typeof one['name'] === 'string');
  return areNamed ? undefined : 'the arguments of a prompt must be objects with names';
}

/** A result without `resultType`. */
export function withoutType<R extends object>(result: R): R {
  const { resultType: _, ...rest } = result as R & { readonly resultType?: unknown };
  return rest as unknown as R; // the member belongs to the protocol alone
}
