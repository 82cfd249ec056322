/**
 * The checks of what a request repeats in headers, in the order in which they are made, by the rules of its own revision. All of
 * them throw a `Refusal`; what a handler refuses comes after them.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { shorten, type IncomingRequest } from '@sigil-mcp/core/adapter';
import { ProtocolError, type HttpRules } from '@sigil-mcp/protocol';
import { Refusal } from '../refusals/refusal';
import { distinctHeaders } from './distinct-headers';
import { checkMethodHeader, checkNameHeader } from './mirrored-headers';

/** What the checks look at. */
interface CheckedRequest {
  readonly incoming: IncomingRequest;
  readonly headers: IncomingHttpHeaders;
  readonly rules: HttpRules;
  /** Whether the request, or the version beside it, is of a revision whose requests are complete in themselves. */
  readonly standsAlone: boolean;
}

type HeaderCheck = (checked: CheckedRequest) => ProtocolError | undefined;

const VERSION_HEADER = 'mcp-protocol-version';
const METHOD_HEADER = 'mcp-method';
const REPEATING_HEADERS = [VERSION_HEADER, METHOD_HEADER, 'mcp-name'];

const CHECKS: readonly HeaderCheck[] = [
  metaIsComplete, //        -32602
  versionHeaderAgrees, //   -32020
  versionIsServed, //       -32022
  headersAreThere, //       -32020
  methodHeaderAgrees, //    -32020
  nameHeaderAgrees, //      -32020
];

/**
 * Checks the headers of a request by the rules of its revision. Throws a `Refusal`, with the status that the revision has for
 * the error, else 400.
 */
export function checkHeaders(incoming: IncomingRequest, message: IncomingMessage, standsAlone: boolean): void {
  const { conversation } = incoming.opening;
  // Of a conversation that does not last, and nothing says so but its method: what is wrong with it is the kernel's to say.
  if (!standsAlone && !conversation.lasting) return;
  const { revision } = conversation;
  const rules = revision.http;
  if (!standsAlone && rules.requiredHeaders.length === 0 && rules.nameHeader.size === 0) return;
  const checked = { incoming, rules, standsAlone, headers: distinctHeaders(message, REPEATING_HEADERS) };
  for (const check of CHECKS) {
    const error = check(checked);
    if (!error) continue;
    const written = revision.writeError(error);
    throw new Refusal(rules.errorStatus[written.code] ?? 400, written, {}, incoming.request.id);
  }
}

function metaIsComplete({ incoming: { request, opening }, standsAlone }: CheckedRequest): ProtocolError | undefined {
  if (standsAlone && request.method === 'initialize' && opening.claim === undefined) {
    // A handshake under a header that says there is none.
    return new ProtocolError('header-mismatch', 'MCP-Protocol-Version names a revision that has no initialize.');
  }
  return standsAlone ? opening.malformed : undefined;
}

/** The header, where there is one and the revision has such, says what the request says. */
function versionHeaderAgrees({ incoming, headers, rules, standsAlone }: CheckedRequest): ProtocolError | undefined {
  const { claim } = incoming.opening;
  const header = headers[VERSION_HEADER];
  const isRequired = rules.requiredHeaders.includes(VERSION_HEADER);
  if (!standsAlone || header === claim || !(header === undefined ? isRequired : rules.versionHeader)) return undefined;
  const said = header === undefined ? 'is missing' : `is ${quoted(header)}`;
  return new ProtocolError(
    'header-mismatch',
    `The header MCP-Protocol-Version ${said}, the request's _meta says ${quoted(claim)}.`,
  );
}

/** What a client said, as JSON, with its first characters alone where it is long. */
function quoted(value: unknown): string {
  return shorten(JSON.stringify(value), 100);
}

function versionIsServed({ incoming: { opening } }: CheckedRequest): ProtocolError | undefined {
  return opening.refusal;
}

function headersAreThere({ headers, rules }: CheckedRequest): ProtocolError | undefined {
  // Those that repeat the message say more than that they are missing.
  const missing = rules.requiredHeaders.find(
    (name) => headers[name] === undefined && !REPEATING_HEADERS.includes(name),
  );
  return missing === undefined ? undefined : new ProtocolError('header-mismatch', `The header ${missing} is missing.`);
}

function methodHeaderAgrees({ incoming: { request }, headers, rules }: CheckedRequest): ProtocolError | undefined {
  return rules.requiredHeaders.includes(METHOD_HEADER) ? checkMethodHeader(headers, request.method) : undefined;
}

function nameHeaderAgrees({ incoming: { request }, headers, rules }: CheckedRequest): ProtocolError | undefined {
  const parameter = rules.nameHeader.get(request.method);
  return parameter === undefined ? undefined : checkNameHeader(headers, parameter, request.params);
}
