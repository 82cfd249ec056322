/**
 * The checks of a request that names its revision itself, in the order in which they are made. All of them throw a
 * `Refusal`; what a handler refuses comes after them.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  hasClaim,
  openConversation,
  type Conversation,
  type Kernel,
  type Opening,
  type RunningCalls,
} from '@sigil-mcp/core';
import {
  META_KEYS,
  NEWEST_PER_REQUEST_REVISION,
  ProtocolError,
  type InboundRequest,
  type JsonObject,
} from '@sigil-mcp/protocol';
import { refuseRequest } from '../refusal';
import { distinctHeaders } from './distinct-headers';
import { checkMethodHeader, checkMirroredArguments, checkNameHeader } from './mirrored-headers';

/** What the checks look at. */
export interface PerRequestScope {
  readonly request: InboundRequest;
  readonly message: IncomingMessage;
  readonly kernel: Kernel;
}

/** And what is worked out of it once. */
interface CheckScope extends PerRequestScope {
  readonly headers: IncomingHttpHeaders;
  /** Where the request would be answered, or why it is not. */
  readonly opening: Opening;
}

/** The error, and the status that the specification gives it. */
type Finding = { readonly status: number; readonly error: ProtocolError } | undefined;
type PerRequestCheck = (scope: CheckScope) => Finding;

const STANDARD_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

const CHECKS: readonly PerRequestCheck[] = [
  metaIsComplete, //        400 -32602
  versionHeaderAgrees, //   400 -32020
  versionIsServed, //       400 -32022
  methodHeaderAgrees, //    400 -32020
  nameHeaderAgrees, //      400 -32020
  methodIsKnown, //         404 -32601
  argumentHeadersAgree, //  400 -32020
];

/** Makes the checks and opens the conversation of the request. Throws a `Refusal`. */
export function openPerRequest(scope: PerRequestScope, running: RunningCalls): Conversation {
  const opening = openConversation(scope.request, { held: undefined, running });
  const { request, message, kernel } = scope;
  const { id } = request;
  const complete = { request, message, kernel, opening, headers: distinctHeaders(message, STANDARD_HEADERS) };
  for (const check of CHECKS) {
    const finding = check(complete);
    if (finding) throw refuseRequest(finding.status, finding.error, { id, revision: NEWEST_PER_REQUEST_REVISION });
  }
  if ('refusal' in opening) throw refuseRequest(400, opening.refusal, { id, revision: opening.revision });
  return opening.conversation;
}

function metaIsComplete({ request: { method, params } }: CheckScope): Finding {
  if (method === 'initialize' && !hasClaim(params)) {
    // A handshake under a header that says there is none.
    return badRequest(
      new ProtocolError('header-mismatch', 'MCP-Protocol-Version names a revision that has no initialize.'),
    );
  }
  try {
    NEWEST_PER_REQUEST_REVISION.readMeta(params);
    return undefined;
  } catch (error) {
    if (error instanceof ProtocolError) return badRequest(error);
    throw error;
  }
}

function versionHeaderAgrees({ request: { params }, headers }: CheckScope): Finding {
  const header = headers['mcp-protocol-version'];
  const claim = claimOf(params);
  if (header === claim) return undefined;
  const said = header === undefined ? 'is missing' : `is ${JSON.stringify(header)}`;
  return badRequest(
    new ProtocolError(
      'header-mismatch',
      `The header MCP-Protocol-Version ${said}, the request's _meta says ${JSON.stringify(claim)}.`,
    ),
  );
}

function versionIsServed({ opening }: CheckScope): Finding {
  return 'refusal' in opening ? badRequest(opening.refusal) : undefined;
}

function methodHeaderAgrees({ request, headers }: CheckScope): Finding {
  return badRequest(checkMethodHeader(headers, request.method));
}

function nameHeaderAgrees({ request: { method, params }, headers }: CheckScope): Finding {
  return badRequest(checkNameHeader(headers, method, params));
}

function methodIsKnown({ request: { method }, kernel }: CheckScope): Finding {
  if (kernel.findMethod(method, NEWEST_PER_REQUEST_REVISION)) return undefined;
  return { status: 404, error: new ProtocolError('method-not-found', `Method not found: ${method.slice(0, 200)}`) };
}

function argumentHeadersAgree({ request: { method, params }, message, kernel }: CheckScope): Finding {
  const name = params?.['name'];
  if (method !== 'tools/call' || typeof name !== 'string') return undefined;
  const mirrored = kernel.mirroredArguments(name);
  if (mirrored.length === 0) return undefined;
  const names = mirrored.map(({ header }) => header);
  return badRequest(checkMirroredArguments(distinctHeaders(message, names), mirrored, params?.['arguments']));
}

function badRequest(error: ProtocolError | undefined): Finding {
  return error && { status: 400, error };
}

function claimOf(params: JsonObject | undefined): unknown {
  const meta = params?.['_meta'];
  // The check before this one has seen the claim.
  return (meta as JsonObject | undefined)?.[META_KEYS.protocolVersion];
}
