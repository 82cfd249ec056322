/** @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion */
import type { JsonObject } from '../jsonrpc/message';
import type { CompleteParams, CompleteResult, CompletionReference } from '../model/completion';
import { readObject, readOptionalObject, readString, readStrings, throwInvalid } from '../reading/read-members';
import { resultReader, strings } from '../reading/read-result';
import type { Operation } from './operation';
import { writerOf } from './shared-codecs';

/** Suggests values for an argument of a prompt, or a variable of a template. */
export const COMPLETION_COMPLETE: Operation<'completion/complete', CompleteParams, CompleteResult> = {
  method: 'completion/complete',
  compile(wire) {
    const hasContext = wire.rules.fields.CompleteRequestParams?.includes('context') === true;
    return {
      readParams: hasContext ? readParams : readWithoutContext,
      writeParams: ({ ref, argument, previous }) => ({
        ref: { ...ref },
        argument: { ...argument },
        ...(hasContext && Object.keys(previous).length > 0 && { context: { arguments: previous } }),
      }),
      writeResult: writerOf('CompleteResult', wire),
      readResult: resultReader<CompleteResult>({
        completion: (result, member, at) => strings(readObject(result, member, at), 'values', `${at}.${member}`),
      }),
    };
  },
};

function readParams(params: JsonObject): CompleteParams {
  const context = readOptionalObject(params, 'context', 'params');
  const previous = context === undefined ? {} : readStrings(context, 'arguments', 'params.context');
  return { ...readWithoutContext(params), previous };
}

function readWithoutContext(params: JsonObject): CompleteParams {
  const ref = readReference(readObject(params, 'ref', 'params'));
  const argument = readObject(params, 'argument', 'params');
  return {
    ref,
    argument: {
      name: readString(argument, 'name', 'params.argument'),
      value: readString(argument, 'value', 'params.argument'),
    },
    previous: {},
  };
}

function readReference(ref: JsonObject): CompletionReference {
  const { type } = ref;
  if (type === 'ref/prompt') return { type, name: readString(ref, 'name', 'params.ref') };
  if (type === 'ref/resource') return { type, uri: readString(ref, 'uri', 'params.ref') };
  return throwInvalid('params.ref', 'type', '"ref/prompt" or "ref/resource"');
}
