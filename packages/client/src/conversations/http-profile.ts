/** The HTTP rules of a revision, and the headers that a client of it adds to its requests. */
import { META_KEYS, type HttpRules, type JsonObject, type Revision } from '@sigil-mcp/protocol';
import { objectOf } from '../json';

/** A client's side of Streamable HTTP in one revision. */
export interface HttpProfile {
  /** The revision's rules: sessions, streams of GET, replay, the meaning of a closed connection. */
  readonly rules: HttpRules;
  /** The method whose answer opens the session, if the revision has sessions. */
  readonly opening: string;
  /** Headers of a POST that carries this message. */
  headersOf(message: JsonObject, mirrored: MirrorArguments): Record<string, string>;
  /** Makes `headersOf` repeat a parameter of a method from outside in `Mcp-Name`, in revisions that have the header. */
  repeatName(method: string, parameter: string): void;
  /** Headers of requests without a message: GET, DELETE. */
  readonly plainHeaders: Record<string, string>;
}

/** The arguments of a tool that are repeated in headers: header -> text. */
export type MirrorArguments = (tool: string, args: JsonObject[string]) => Record<string, string>;

/** The HTTP profile of a revision. */
export function httpProfile({ version, http }: Revision, opening: string): HttpProfile {
  const versioned = http.versionHeader ? { 'MCP-Protocol-Version': version } : {};
  const repeats = http.requiredHeaders.length > 0;
  const names = new Map(http.nameHeader);
  return {
    rules: http,
    opening,
    headersOf(message, mirrored) {
      if (repeats) return { ...versioned, ...mirrorMessage(message, mirrored, { ...http, nameHeader: names }) };
      // The version is not negotiated yet.
      return message['method'] === opening ? {} : versioned;
    },
    repeatName: (method, parameter) => void names.set(method, parameter),
    plainHeaders: versioned,
  };
}

/** The headers that repeat the body; a client that names another version in the body names it in the header, too. */
function mirrorMessage(
  { method, params }: JsonObject,
  mirrored: MirrorArguments,
  { nameHeader, mirrorsArguments }: HttpRules,
): Record<string, string> {
  if (typeof method !== 'string') return {};
  const { _meta: meta, arguments: args, ...rest } = objectOf(params);
  const claimed = objectOf(meta)[META_KEYS.protocolVersion];
  const name = rest[nameHeader.get(method) ?? (OF_TASKS.test(method) ? 'taskId' : '')];
  const repeated = mirrorsArguments && method === 'tools/call' && typeof name === 'string' ? mirrored(name, args) : {};
  const texts = { ...(typeof name === 'string' && { 'Mcp-Name': name }), ...repeated };
  return {
    ...(typeof claimed === 'string' && { 'MCP-Protocol-Version': claimed }),
    'Mcp-Method': method,
    ...Object.fromEntries(Object.entries(texts).map(([header, text]) => [header, encode(text)])),
  };
}

/** Methods of the extension for tasks, which no revision has: the header repeats `taskId`. */
const OF_TASKS = /^tasks\/(get|update|cancel)$/;

/** A text that a header can carry unencoded: visible ASCII, with white space inside only, and nothing that looks encoded. */
const PLAIN = /^(?!=\?base64\?.*\?=$)(?:[!-~](?:[\t -~]*[!-~])?)?$/;

function encode(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
