/** @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject } from '../jsonrpc/write-message';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import type { NoParams } from '../model/params';
import type { ListRootsResult, Root } from '../model/roots';
import { readOptionalObject, readOptionalString, readString, throwInvalid } from '../reading/read-members';
import type { ServerOperation } from './server-operation';

/** Asks for the folders that the client works in. */
export const ROOTS_LIST: ServerOperation<'roots/list', NoParams, ListRootsResult> = {
  method: 'roots/list',
  compile: () => ({
    missingCapabilities: (_params, { roots }) => (roots ? undefined : { roots: {} }),
    writeParams: () => undefined,
    readParams: () => ({}),
    writeResult: asJsonObject,
    readResult: readRoots,
  }),
};

function readRoots({ roots }: JsonObject): ListRootsResult {
  if (!Array.isArray(roots)) return throwInvalid('result', 'roots', 'an array');
  return { roots: roots.map((root: JsonValue, index) => readRoot(root, `roots[${index}]`)) };
}

function readRoot(root: JsonValue, member: string): Root {
  if (!isObject(root)) return throwInvalid('result', member, 'an object');
  const uri = readString(root, 'uri', `result.${member}`);
  const name = readOptionalString(root, 'name', `result.${member}`);
  const meta = readOptionalObject(root, '_meta', `result.${member}`);
  return { uri, ...(name !== undefined && { name }), ...(meta && { _meta: meta }) };
}
