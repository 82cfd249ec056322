/** Reads the metadata of a request, `params._meta`. */
import type { JsonObject } from '../jsonrpc/message';
import { type Meta, META_KEYS } from '../model/metadata';
import {
  readCapabilities,
  readImplementation,
  readLogLevel,
  readObject,
  readOptionalObject,
  readString,
  throwInvalid,
} from '../reading/read-members';
import { isToken, LONGEST_TOKEN } from '../jsonrpc/parse-message';
import type { MetaKey } from '../rules/wire-rules';
import type { RequestMeta, Revision } from './revision';

const AT = 'params._meta';
const NO_PARAMS: JsonObject = Object.freeze({});
const NO_META: RequestMeta = Object.freeze({ all: Object.freeze({}) });

/** The reader of a revision's request metadata; throws `ProtocolError('invalid-params')`. */
export function metaReader(lifecycle: Revision['lifecycle'], keys: readonly MetaKey[]): ReadMeta {
  const readMeta = lifecycle === 'handshake' ? readHandshakeMeta : readPerRequestMeta;
  return keys.length === 0 ? readMeta : (params) => withKeys(readMeta(params), keys);
}

type ReadMeta = (params: JsonObject | undefined) => RequestMeta;

function withKeys(meta: RequestMeta, keys: readonly MetaKey[]): RequestMeta {
  const values = new Map<MetaKey, unknown>();
  for (const key of keys) {
    const value = meta.all[key.name];
    if (value !== undefined) values.set(key, key.read(value, AT));
  }
  return { ...meta, values };
}

function readHandshakeMeta(params: JsonObject = NO_PARAMS): RequestMeta {
  const all = readOptionalObject(params, '_meta', 'params');
  return all === undefined ? NO_META : { all, ...readProgressToken(all) };
}

/**
 * The version and the capabilities are required, the client's name is not. If the name is there, it must be well-formed:
 * an error that reports what is wrong is more useful than half of an identity.
 */
function readPerRequestMeta(params: JsonObject = NO_PARAMS): RequestMeta {
  const all = readObject(params, '_meta', 'params');
  readString(all, META_KEYS.protocolVersion, AT);
  const capabilities = readCapabilities(all, META_KEYS.clientCapabilities, AT);
  const info = all[META_KEYS.clientInfo] === undefined ? undefined : readImplementation(all, META_KEYS.clientInfo, AT);
  return { all, client: { info, capabilities }, ...readProgressToken(all), ...readRequestLogLevel(all) };
}

function readProgressToken(all: Meta): Pick<RequestMeta, 'progressToken'> | undefined {
  const { progressToken } = all;
  if (progressToken === undefined) return undefined;
  if (isToken(progressToken)) return { progressToken };
  return throwInvalid(AT, 'progressToken', `an integer or a string of at most ${LONGEST_TOKEN} characters`);
}

function readRequestLogLevel(all: Meta): Pick<RequestMeta, 'logLevel'> | undefined {
  const level = all[META_KEYS.logLevel];
  return level === undefined ? undefined : { logLevel: readLogLevel(level, `${AT}.${META_KEYS.logLevel}`) };
}
