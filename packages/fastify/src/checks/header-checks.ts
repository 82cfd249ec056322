/**
 * The checks of what a request repeats in headers, in the order in which they are made, by the rules of its own revision. All of
 * them throw a `Refusal`; what a handler refuses comes after them.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { IncomingRequest } from '@sigil-mcp/core/adapter';
import { ProtocolError, type HttpRules } from '@sigil-mcp/protocol';
import { requestRefusal } from '../refusals/refusal';
import { distinctHeaders } from './distinct-headers';
import { checkMethodHeader, checkNameHeader } from './mirrored-headers';

/** What the checks look at. */
interface CheckedRequest {
  readonly incoming: IncomingRequest;
  readonly headers: IncomingHttpHeaders;
  readonly rules: HttpRules;
}

/** What is wrong, with the status that the specification gives it; undefined if nothing is. */
type Finding = { readonly status: number; readonly error: ProtocolError } | undefined;
type HeaderCheck = (checked: CheckedRequest) => Finding;

const VERSION_HEADER = 'mcp-protocol-version';
const METHOD_HEADER = 'mcp-method';
const REPEATING_HEADERS = [VERSION_HEADER, METHOD_HEADER, 'mcp-name'];

const CHECKS: readonly HeaderCheck[] = [
  metaIsComplete, //        400 -32602
  versionHeaderAgrees, //   400 -32020
  versionIsServed, //       400 -32022
  methodHeaderAgrees, //    400 -32020
  nameHeaderAgrees, //      400 -32020
  methodIsKnown, //         404 -32601
];

/** Checks the headers of a request, where its revision wants headers that repeat it. Throws a `Refusal`. */
export function checkHeaders(incoming: IncomingRequest, message: IncomingMessage): void {
  const { revision } = incoming.opening.conversation;
  const rules = revision.http;
  if (rules.requiredHeaders.length === 0) return;
  const checked = { incoming, rules, headers: distinctHeaders(message, REPEATING_HEADERS) };
  for (const check of CHECKS) {
    const finding = check(checked);
    if (finding) throw requestRefusal(finding.status, finding.error, { id: incoming.request.id, revision });
  }
}

function metaIsComplete({ incoming: { request, opening } }: CheckedRequest): Finding {
  if (request.method === 'initialize' && opening.claim === undefined) {
    // A handshake under a header that says there is none.
    return badRequest(
      new ProtocolError('header-mismatch', 'MCP-Protocol-Version names a revision that has no initialize.'),
    );
  }
  return badRequest(opening.malformed);
}

function versionHeaderAgrees({ incoming: { opening }, headers, rules }: CheckedRequest): Finding {
  const header = headers[VERSION_HEADER];
  if (header === opening.claim || !rules.requiredHeaders.includes(VERSION_HEADER)) return undefined;
  const said = header === undefined ? 'is missing' : `is ${JSON.stringify(header)}`;
  return badRequest(
    new ProtocolError(
      'header-mismatch',
      `The header MCP-Protocol-Version ${said}, the request's _meta says ${JSON.stringify(opening.claim)}.`,
    ),
  );
}

function versionIsServed({ incoming: { opening } }: CheckedRequest): Finding {
  return badRequest(opening.refusal);
}

function methodHeaderAgrees({ incoming: { request }, headers, rules }: CheckedRequest): Finding {
  if (!rules.requiredHeaders.includes(METHOD_HEADER)) return undefined;
  return badRequest(checkMethodHeader(headers, request.method));
}

function nameHeaderAgrees({ incoming: { request }, headers, rules }: CheckedRequest): Finding {
  const parameter = rules.nameHeader.get(request.method);
  return parameter === undefined ? undefined : badRequest(checkNameHeader(headers, parameter, request.params));
}

function methodIsKnown({ incoming: { request, method } }: CheckedRequest): Finding {
  if (method) return undefined;
  const error = new ProtocolError('method-not-found', `Method not found: ${request.method.slice(0, 200)}`);
  return { status: 404, error };
}

function badRequest(error: ProtocolError | undefined): Finding {
  return error && { status: 400, error };
}
