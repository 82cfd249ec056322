/**
 * The checks of headers that repeat the body, in order, by the rules of the request's revision. All of
 * them throw a `Refusal`; refusals of handlers follow later.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
import type { RequestHeaders } from '@sigil-mcp/core';
import { shorten, type IncomingRequest } from '@sigil-mcp/core/adapter';
import { ProtocolError, type HttpRules } from '@sigil-mcp/protocol';
import type { HttpRequest } from '../port';
import { Refusal } from '../refusals/refusal';
import { distinctHeaders } from './repeated-headers';
import { checkMethodHeader, checkNameHeader } from './mirrored-headers';

/** The data of these checks. */
interface CheckedRequest {
  readonly incoming: IncomingRequest;
  readonly headers: RequestHeaders;
  readonly rules: HttpRules;
  /** Whether the request, or its version header, belongs to a revision whose requests are complete in themselves. */
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
 * Checks the headers of a request by the rules of its revision. Throws a `Refusal`, with the status that the revision defines for
 * the error, or else 400.
 */
export function checkHeaders(incoming: IncomingRequest, request: HttpRequest, standsAlone: boolean): void {
  const { conversation } = incoming.opening;
  // Only the method of this request belongs to a revision without lasting conversations: the kernel reports the problem.
  if (!standsAlone && !conversation.lasting) return;
  const { revision } = conversation;
  const rules = revision.http;
  if (!standsAlone && rules.requiredHeaders.length === 0 && rules.nameHeader.size === 0) return;
  const checked = { incoming, rules, standsAlone, headers: distinctHeaders(request, REPEATING_HEADERS) };
  for (const check of CHECKS) {
    const error = check(checked);
    if (!error) continue;
    const written = revision.writeError(error);
    throw new Refusal(rules.errorStatus[written.code] ?? 400, written, { id: incoming.request.id });
  }
}

function metaIsComplete({ incoming: { opening }, standsAlone }: CheckedRequest): ProtocolError | undefined {
  return standsAlone ? opening.malformed : undefined;
}

/** The version header, if present and defined by the revision, equals the version in the request. */
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

/** A value of a client as JSON, cut to its first characters. */
function quoted(value: unknown): string {
  return shorten(JSON.stringify(value), 100);
}

function versionIsServed({ incoming: { opening } }: CheckedRequest): ProtocolError | undefined {
  return opening.refusal;
}

function headersAreThere({ headers, rules }: CheckedRequest): ProtocolError | undefined {
  // The error about a header that mirrors the message is more specific than that it is missing.
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
