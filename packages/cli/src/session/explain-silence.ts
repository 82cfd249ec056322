/** The reason why there is no MCP server at a target, or not any more, and the fix, a sentence each. */
import { relative } from 'node:path';
import { describeCause, type Cause } from '../causes/describe-cause';
import { readProblems } from '../causes/read-problems';
import { noServer, type CliFailure, protocolError, codeOf } from '../failure';
import { findOther, folderOf } from '../project/find-project';
import type { Styles } from '../terminal/styles';
import { visibleLine } from '@sigil-mcp/base';
import type { ChildPipe } from './child-pipe';
import { tellingLines } from '../causes/last-words';
import type { ProgramTarget, AddressTarget } from '../targets/target';
import { type HttpRefusal, readRefusal } from './http-refusal';
import { types } from 'node:util';

/** The last answer of the server to a message. */
export interface HttpEvidence {
  status?: number;
  contentType?: string;
  /** Where a redirect leads. */
  location?: string | undefined;
  /** The last refusal of a message. */
  refusal?: HttpRefusal;
  /** The error code of the system or of the HTTP client, such as ECONNREFUSED. */
  networkError?: string | undefined;
}

/** The lowest HTTP status for an error of the server. */
const FAILED = 500;

/** The status for a host name that the server does not serve. */
const MISDIRECTED = 421;

/** When the failure occurred. */
export type Moment = 'connecting' | 'connected';

const LONGEST_QUOTE = 80;

/** Explains the end of a started program. */
export function explainProgram(
  target: ProgramTarget,
  child: ChildPipe,
  { when, styles }: { readonly when: Moment; readonly styles: Styles },
): CliFailure {
  if (child.startFailure) return explainStart(target, child.startFailure);
  const program = target.label;
  const how = child.ending ?? 'it closed its output';
  const cause = crashOf(target, child, styles);
  if (cause !== undefined) return explainCrash(child, { program, how, cause });
  if (when === 'connected') return noServer('SIGIL_CLI_ENDED', { program, how, words: lastWordsOf(child) });
  if (child.ending === 'status 127') return noServer('SIGIL_CLI_COMMAND_UNKNOWN', { command: program });
  const [rubbish] = child.rubbish;
  if (rubbish !== undefined && !child.spoke) {
    const line = visibleLine(rubbish).slice(0, LONGEST_QUOTE);
    return noServer('SIGIL_CLI_STRAY_LINE', { program, line });
  }
  if (target.file !== undefined && child.ending === 'status 0')
    return explainNothingServed(target.file, target.cwd, child);
  const name = unreadyName(tellingLines(child.lastWords));
  if (name !== undefined) return noServer('SIGIL_CLI_CIRCULAR', { program, name, words: positionOf(child) });
  return noServer('SIGIL_CLI_ENDED_EARLY', { program, how, words: lastWordsOf(child) });
}

/** A file that ended normally, without serving anything. */
function explainNothingServed(file: string, cwd: string, child: ChildPipe): CliFailure {
  const other = findOther(file);
  const instead =
    other === undefined ? 'name the file that does' : `name the file that does, such as ${shownPath(cwd, other)}`;
  const words = tellingLines(child.lastWords).length === 0 ? '' : ` ${lastWordsOf(child)}`;
  return noServer('SIGIL_CLI_NO_SERVER', { file: shownPath(cwd, file), instead, words });
}

function shownPath(cwd: string, path: string): string {
  return relative(cwd, path) || path;
}

/** Explains a missed deadline. */
export function explainLateness(label: string, seconds: number, child?: ChildPipe): CliFailure {
  const [rubbish] = child?.rubbish ?? [];
  const printed =
    rubbish === undefined ? '' : `; what it printed first was "${visibleLine(rubbish).slice(0, LONGEST_QUOTE)}"`;
  const time = `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return noServer('SIGIL_CLI_LATE', { target: label, time, printed });
}

/** Explains the answer of an address that is not an MCP server. */
export function explainAddress({ url }: AddressTarget, evidence: HttpEvidence): CliFailure {
  const { networkError, status, contentType, location, refusal } = evidence;
  if (networkError !== undefined) return explainNetwork(url, networkError);
  const closed = refusal && explainClosedDoor(url, refusal);
  if (closed) return closed;
  const page = contentType?.includes('html') ? 'a web page' : 'something else';
  const answer = location === undefined ? page : `a redirect to ${visibleLine(location).slice(0, LONGEST_QUOTE)}`;
  const code = status === undefined ? 'without a status' : `HTTP ${status}`;
  return noServer('SIGIL_CLI_NO_ENDPOINT', { url: url.href, answer, status: code });
}

/** Explains the loss of a server over HTTP. */
export function explainLostAddress(
  { url }: AddressTarget,
  { networkError, status, refusal }: HttpEvidence,
): CliFailure {
  if (networkError === undefined && refusal) return explainRefusedCall(url, refusal);
  const how = networkError ?? (status === undefined ? 'no answer' : `HTTP ${status}`);
  return noServer('SIGIL_CLI_WENT_AWAY', { url: url.href, how });
}

function explainStart({ command, label }: ProgramTarget, { code, message }: NodeJS.ErrnoException): CliFailure {
  if (code === 'ENOENT') return noServer('SIGIL_CLI_COMMAND_UNKNOWN', { command });
  if (code === 'EACCES') return noServer('SIGIL_CLI_COMMAND_FORBIDDEN', { command });
  return noServer('SIGIL_CLI_COMMAND_BROKEN', { command: label, reason: message });
}

function explainNetwork(url: URL, code: string): CliFailure {
  const { host, hostname } = url;
  if (code === 'ECONNREFUSED') return noServer('SIGIL_CLI_NOBODY_LISTENS', { host });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return noServer('SIGIL_CLI_NO_HOST', { host: hostname });
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(code)) return noServer('SIGIL_CLI_NOT_SECURE', { host, code });
  return noServer('SIGIL_CLI_NO_CONNECTION', { host, code });
}

/** The error of the program itself, with its position; undefined if it did not report or print one. */
function crashOf({ file, cwd }: ProgramTarget, child: ChildPipe, styles: Styles): Cause | undefined {
  const crash = child.crash ?? readProblems(child.lastWords);
  return crash && describeCause(crash, { folder: folderOf(file, cwd), styles });
}

function explainCrash(
  { crash }: ChildPipe,
  { program, how, cause }: { readonly program: string; readonly how: string; readonly cause: Cause },
): CliFailure {
  const name = crash && unreadyName([`${crash.name}: ${crash.message}`]);
  const failure =
    name === undefined
      ? noServer('SIGIL_CLI_CRASHED', { program: JSON.stringify(program), how })
      : noServer('SIGIL_CLI_CIRCULAR', { program, name, words: '' });
  failure.headline = cause.text;
  return failure;
}

/** The class or constant that was used before its file was loaded: with ES modules a circular import fails this way. */
function unreadyName(told: readonly string[]): string | undefined {
  return /^ReferenceError: Cannot access '([^']+)' before initialization$/m.exec(told.join('\n'))?.[1];
}

function positionOf({ lastWords }: ChildPipe): string {
  const frame = tellingLines(lastWords).find((line) => /^\s+at /.test(line));
  return frame === undefined ? '' : `It happened ${frame.trim()}.`;
}

function lastWordsOf({ lastWords }: ChildPipe): string {
  const said = tellingLines(lastWords);
  if (said.length === 0) return 'It wrote nothing to stderr; run it directly to see more.';
  return ['Its last output on stderr:', ...said.map((line) => `  ${line}`)].join('\n');
}

/** Explains a refusal while connecting; undefined if it is not the answer of an MCP server. */
export function explainClosedDoor(url: URL, refusal: HttpRefusal): CliFailure | undefined {
  const { status, words, isProtocolError } = refusal;
  if ([401, 403, 429].includes(status) || status >= FAILED) return describe(url, refusal, noServer);
  const said = words === undefined ? '' : `: ${words}`;
  if (status === MISDIRECTED) return noServer('SIGIL_CLI_HOST', { url: url.href, host: url.hostname, said });
  return isProtocolError ? noServer('SIGIL_CLI_REJECTED', { url: url.href, status, said }) : undefined;
}

/** Explains a refusal after connecting: a protocol error, unless the server is gone. */
export function explainRefusedCall(url: URL, refusal: HttpRefusal): CliFailure {
  const isGone = refusal.status === 404 || refusal.status >= FAILED;
  return describe(url, refusal, isGone ? noServer : protocolError);
}

function describe({ href: url }: URL, refusal: HttpRefusal, fail: typeof noServer): CliFailure {
  const { status, words, challenge } = refusal;
  const scopes = scopesOf(challenge);
  const said = `${wantsOf(challenge, scopes)}${words === undefined ? '' : `: ${words}`}`;
  switch (status) {
    case 401:
      return fail('SIGIL_CLI_WHO_ARE_YOU', { url, said });
    case 403:
      return scopes === undefined ? fail('SIGIL_CLI_DENIED', { url, said }) : fail('SIGIL_CLI_SCOPES', { url, scopes });
    case 404:
      return fail('SIGIL_CLI_NOT_FOUND', { url, said });
    case 429:
      return fail('SIGIL_CLI_TOO_MANY', { url, said, later: laterOf(refusal) });
    case 503:
      return fail('SIGIL_CLI_UNAVAILABLE', { url, said, later: laterOf(refusal) });
    default:
      return fail(status >= FAILED ? 'SIGIL_CLI_SERVER_FAILED' : 'SIGIL_CLI_REFUSED', { url, status, said });
  }
}

/** The scopes that a token needs, as text; undefined if the challenge names none. */
function scopesOf(challenge = ''): string | undefined {
  const [, list = ''] = /^bearer\b.*\bscope="([^"]*)"/i.exec(challenge) ?? [];
  const scopes = list.split(' ').filter((scope) => scope !== '');
  return scopes.length === 0 ? undefined : `${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(', ')}`;
}

/** The requirement of the server: a token with scopes, or another scheme from its challenge. */
function wantsOf(challenge: string | undefined, scopes: string | undefined): string {
  if (scopes !== undefined) return `, with a token that has the ${scopes}`;
  return challenge === undefined || /^bearer\b/i.test(challenge) ? '' : `; it wants ${challenge}`;
}

/** When to try again, as text: `in 30 seconds`. */
function laterOf({ retryAfter }: HttpRefusal): string {
  if (retryAfter === undefined) return 'later';
  if (!/^\d+$/.test(retryAfter)) return `after ${retryAfter}`;
  return retryAfter === '1' ? 'in 1 second' : `in ${retryAfter} seconds`;
}

/**
 * Wraps `fetch`. The client decides about redirects, because another server would receive the headers and the message.
 * @param evidence is updated with each answer to a message
 */
export function watchedFetch(evidence: HttpEvidence): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method !== 'POST') return response;
    evidence.status = response.status;
    evidence.contentType = response.headers.get('content-type') ?? '';
    evidence.location = (!response.ok && response.headers.get('location')) || undefined;
    if (response.ok) return response;
    const refused = await readRefusal(response);
    evidence.refusal = refused.refusal;
    return refused.response;
  };
}

/** The failure of the network behind an error of the client; undefined for any other error. */
export function networkErrorOf(error: unknown): string | undefined {
  const cause = causeOf(causeOf(error));
  return codeOf(cause) ?? (types.isNativeError(cause) ? cause.message : undefined);
}

function causeOf(error: unknown): unknown {
  return types.isNativeError(error) ? error.cause : undefined;
}
