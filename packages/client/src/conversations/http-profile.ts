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
  /** Headers of requests without a message: GET, DELETE. */
  readonly plainHeaders: Record<string, string>;
}

/** The arguments of a tool that are repeated in headers: header -> text. */
export type MirrorArguments = (tool: string, args: JsonObject[string]) => Record<string, string>;

/** Methods of the extension for tasks, which no revision has, and the parameter that the header repeats. */
const NAMES_OF_TASKS = ['tasks/get', 'tasks/update', 'tasks/cancel'].map((method) => [method, 'taskId'] as const);

/** The HTTP profile of a revision. */
export function httpProfile({ version, http }: Revision, opening: string): HttpProfile {
  const versioned = http.versionHeader ? { 'MCP-Protocol-Version': version } : {};
  const repeats = http.requiredHeaders.length > 0;
  const names = new Map([...http.nameHeader, ...NAMES_OF_TASKS]);
  return {
    rules: http,
    opening,
    headersOf(message, mirrored) {
      if (repeats) return { ...versioned, ...mirrorMessage(message, mirrored, { ...http, nameHeader: names }) };
      // The version is not negotiated yet.
      return message['method'] === opening ? {} : versioned;
    },
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
  const name = rest[nameHeader.get(method) ?? ''];
  const repeated = mirrorsArguments && method === 'tools/call' && typeof name === 'string' ? mirrored(name, args) : {};
  const texts = { ...(typeof name === 'string' && { 'Mcp-Name': name }), ...repeated };
  return {
    ...(typeof claimed === 'string' && { 'MCP-Protocol-Version': claimed }),
    'Mcp-Method': method,
    ...Object.fromEntries(Object.entries(texts).map(([header, text]) => [header, encode(text)])),
  };
}

/** A text that a header can carry unencoded: visible ASCII, with white space inside only, and nothing that looks encoded. */
const PLAIN = /^(?!=\?base64\?.*\?=$)(?:[!-~](?:[\t -~]*[!-~])?)?$/;

function encode(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}
