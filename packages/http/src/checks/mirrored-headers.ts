/**
 * The checks of headers that repeat the body, for proxies that routed the request by its headers: in order, by the rules of the request's revision.
 * Refusals of handlers follow later.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */
import { isUtf8 } from 'node:buffer';
import type { RequestHeaders } from '@sigil-mcp/core';
import type { IncomingRequest } from '@sigil-mcp/core/adapter';
import { shorten, isObject, type MirroredArgument } from '@sigil-mcp/core/internal';
import { ProtocolError, type HttpRules, type JsonObject } from '@sigil-mcp/protocol';
import type { HttpRequest } from '../port';
import { distinctHeaders, Refusal, type HeaderValue } from '../call';

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
  for (const name of rules.requiredHeaders)
    if (headers[name] === undefined && !REPEATING_HEADERS.includes(name))
      return new ProtocolError('header-mismatch', `The header ${name} is missing.`);
  return undefined;
}

function methodHeaderAgrees({ incoming: { request }, headers, rules }: CheckedRequest): ProtocolError | undefined {
  return rules.requiredHeaders.includes(METHOD_HEADER) ? checkMethodHeader(headers, request.method) : undefined;
}

function nameHeaderAgrees({ incoming: { request }, headers, rules }: CheckedRequest): ProtocolError | undefined {
  const parameter = rules.nameHeader.get(request.method);
  return parameter === undefined ? undefined : checkNameHeader(headers, parameter, request.params);
}

/**
 * The longest header value in bytes; a longer one is refused without decoding.
 *
 * The value of a header that mirrors the body -> text, or undefined if it is malformed. Values other than plain ASCII
 * are sent as Base64 between two marks.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export const LONGEST_HEADER_VALUE = 8192;

const PREFIX = '=?base64?';

const SUFFIX = '?=';

/** The characters that RFC 9110 allows in a value: visible ASCII, space and tab. */
const FIELD_VALUE = /^[\t\x20-\x7e]*$/;

/** The text of an integer: `42`, `-7`, or `42.0` from clients that write every number with a fraction. */
const INTEGER = /^-?\d+(?:\.0+)?$/;

/** A literal value: visible ASCII that is not wrapped Base64. */
const PLAIN = /^(?!=\?)[!-~]{1,256}$/;

/** A header, and the part of the body that it repeats. */
interface Mirror {
  /** The display name of the header: `Mcp-Name`. */
  readonly header: string;
  /** The part of the body: `params.name`. */
  readonly place: string;
  /** Value of the header -> text; undefined for a malformed one. */
  readonly decode: (raw: string) => string | undefined;
}

/** Compares `Mcp-Method` with the method of the body, case included. Returns the difference, if any. */
export function checkMethodHeader(headers: RequestHeaders, method: string): ProtocolError | undefined {
  const mirror: Mirror = { header: 'Mcp-Method', place: 'method', decode: readHeaderValue };
  return compare(mirror, headers['mcp-method'], method);
}

/**
 * Compares `Mcp-Name` with the parameter that names the target of the request.
 * @returns the difference, if any
 */
export function checkNameHeader(
  headers: RequestHeaders,
  parameter: string,
  params: JsonObject | undefined,
): ProtocolError | undefined {
  const raw = headers['mcp-name'];
  const name = params?.[parameter];
  const mirror: Mirror = { header: 'Mcp-Name', place: `params.${parameter}`, decode: decodeHeaderValue };
  if (typeof name === 'string') return compare(mirror, raw, name);
  // A body without a name has its own error, which is more specific than a missing header.
  return raw === undefined ? undefined : orphan(mirror, raw);
}

/**
 * Compares the `Mcp-Param-*` headers with the mirrored arguments of a tool, as the client sent them, without defaults. An
 * argument that is null or absent has no header.
 * @returns the first difference, if any
 */
export function checkMirroredArguments(
  headers: RequestHeaders,
  mirrored: readonly MirroredArgument[],
  args: unknown,
): ProtocolError | undefined {
  for (const argument of mirrored) {
    const mismatch = checkArgument(argument, headers[argument.header], findValue(args, argument.path));
    if (mismatch) return mismatch;
  }
  return undefined;
}

function checkArgument(argument: MirroredArgument, raw: HeaderValue, value: unknown): ProtocolError | undefined {
  const { header, path, type } = argument;
  const mirror: Mirror = { header, place: `params.arguments.${path.join('.')}`, decode: decodeHeaderValue };
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    return mismatch(`${mirror.place} is ${value}, beyond ±(2^53-1), and has no place in the header ${header}.`);
  }
  if (typeof value === 'string') return compare(mirror, raw, value);
  if (typeof value === 'number') return compare(mirror, raw, type === 'integer' ? value : String(value));
  if (typeof value === 'boolean') return compare(mirror, raw, String(value));
  // Null, absent, an object or an array: these have no text, and the tool's own validation refuses them.
  return raw === undefined ? undefined : orphan(mirror, raw);
}

/** Compares a header with a value of the body. A number equals all its notations; text equals only itself. */
function compare(mirror: Mirror, raw: HeaderValue, value: string | number): ProtocolError | undefined {
  // The usual case: the same literal value, without decoding.
  if (raw === value && PLAIN.test(raw)) return undefined;
  const { header, place, decode } = mirror;
  const body = `${place} is ${quote(value)}`;
  if (raw === undefined) return mismatch(`The header ${header} is missing, but ${body}.`);
  if (typeof raw !== 'string') return mismatch(`The header ${header} came ${raw.length} times, but ${body}.`);
  if (raw.length > LONGEST_HEADER_VALUE) {
    return mismatch(`The header ${header} has ${raw.length} bytes, more than ${LONGEST_HEADER_VALUE}; ${body}.`);
  }
  const said = decode(raw);
  if (said === undefined) {
    return mismatch(`The header ${header} is ${quote(raw)}, neither plain ASCII nor valid Base64 of UTF-8; ${body}.`);
  }
  const isSame = said === String(value) || (typeof value === 'number' && isNumber(said, value));
  return isSame ? undefined : mismatch(`The header ${header} is ${quote(said)}, but ${body}.`);
}

function isNumber(said: string, value: number): boolean {
  return INTEGER.test(said) && Number(said) === value;
}

function orphan({ header, place }: Mirror, raw: NonNullable<HeaderValue>): ProtocolError {
  return mismatch(`The header ${header} is ${quote(raw)}, but the body has no ${place} that could be mirrored.`);
}

function mismatch(sentence: string): ProtocolError {
  return new ProtocolError('header-mismatch', sentence);
}

function quote(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function findValue(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

/**
 * Reads a literal header value, without the white space around it.
 * @returns undefined if it is longer than `LONGEST_HEADER_VALUE` or contains characters that are not allowed
 */
export function readHeaderValue(raw: string): string | undefined {
  // After this pattern, trim() only removes spaces and tabs.
  return raw.length <= LONGEST_HEADER_VALUE && FIELD_VALUE.test(raw) ? raw.trim() : undefined;
}

/**
 * Decodes a header value: text between `=?base64?` and `?=` is Base64 of UTF-8, all other text is literal.
 * @returns undefined for a malformed value, or invalid Base64 or UTF-8
 */
export function decodeHeaderValue(raw: string): string | undefined {
  const value = readHeaderValue(raw);
  if (value === undefined || !isWrapped(value)) return value;
  return decodeBase64(value.slice(PREFIX.length, -SUFFIX.length));
}

function isWrapped(value: string): boolean {
  return value.length >= PREFIX.length + SUFFIX.length && value.startsWith(PREFIX) && value.endsWith(SUFFIX);
}

function decodeBase64(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  // Node's decoder skips unknown characters; only canonical Base64 is the same after encoding it again.
  if (bytes.toString('base64') !== encoded || !isUtf8(bytes)) return undefined;
  return bytes.toString('utf8');
}
