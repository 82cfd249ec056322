/** Parts of codecs that several operations share. */
import { asJsonObject } from '../jsonrpc/write-message';
import type { JsonObject } from '../jsonrpc/message';
import type { EmptyResult, ListParams, NoParams } from '../model/metadata';
import type { ResourceUriParams } from '../model/resources';
import { readOptionalString, readString } from '../reading/read-members';
import type { Noun } from '../rules/nouns';
import { projectFields, type Writer } from '../writing/project-fields';
import type { Wire } from './operation';

/** No parameters. */
export const NO_PARAMS = {
  readParams: (): NoParams => ({}),
  writeParams: (): JsonObject => ({}),
};

/** The parameters of a list. */
export const PAGE_PARAMS = {
  readParams(params: JsonObject): ListParams {
    const cursor = readOptionalString(params, 'cursor', 'params');
    return cursor === undefined ? {} : { cursor };
  },
  writeParams: ({ cursor }: ListParams): JsonObject => (cursor === undefined ? {} : { cursor }),
};

/** The URI of a resource. */
export const URI_PARAMS = {
  readParams: (params: JsonObject): ResourceUriParams => ({ uri: readString(params, 'uri', 'params') }),
  writeParams: ({ uri }: ResourceUriParams): JsonObject => ({ uri }),
};

const writeNothing = projectFields([]);

/** A result that only says that it worked. */
export const EMPTY_RESULT = {
  writeResult: writeNothing,
  readResult: (): EmptyResult => ({}),
};

/** The writer of a noun; a noun that the revision does not have is written without members. */
export function writerOf(noun: Noun, { find }: Wire): Writer {
  return find(noun) ?? writeNothing;
}

/** The writer of a noun; one that the revision does not have is written as it is. */
export function writerOrSame(noun: Noun, { find }: Wire): Writer {
  return find(noun) ?? asJsonObject;
}
