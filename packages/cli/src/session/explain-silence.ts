/** Why there is no MCP server at a target, or not any more: one sentence, and one that says how to mend it. */
import { noServer, type CliFailure } from '../failure';
import { plain } from '../terminal/plain-text';
import type { ChildTransport } from './child-transport';
import { tellingLines } from './last-words';
import type { CommandTarget, UrlTarget } from '../targets/target';
import type { HttpEvidence } from './watched-fetch';

/** The moment at which a server turned out to be none. */
export type Moment = 'connecting' | 'connected';

const LONGEST_QUOTE = 80;
/** The lowest status with which HTTP says that the server is at fault. */
const FAILED = 500;

/** Explains what became of a started program. */
export function explainProgram(target: CommandTarget, child: ChildTransport, when: Moment): CliFailure {
  if (child.startFailure) return explainStart(target, child.startFailure);
  const name = `"${target.label}"`;
  if (when === 'connected') {
    const message = `The server ${name} ended in the middle (${child.ending ?? 'it closed its output'}).`;
    return noServer(message, lastWordsOf(child));
  }
  if (child.ending === 'status 127') {
    return noServer(`There is no such command: ${target.label}.`, 'Check how it is written, or install it first.');
  }
  const [rubbish] = child.rubbish;
  if (rubbish !== undefined && !child.spoke) {
    const quoted = plain(rubbish).slice(0, LONGEST_QUOTE);
    const message = `${name} is not an MCP server over stdio: it printed "${quoted}" where a message belongs.`;
    return noServer(message, 'A server writes messages to stdout and everything else to stderr.');
  }
  const message = `${name} ended (${child.ending ?? 'it closed its output'}) before it answered as an MCP server.`;
  return noServer(message, lastWordsOf(child));
}

/** Explains why nothing came before the deadline. */
export function explainLateness(label: string, seconds: number, child?: ChildTransport): CliFailure {
  const [rubbish] = child?.rubbish ?? [];
  const printed = rubbish === undefined ? '' : `; all it printed was "${plain(rubbish).slice(0, LONGEST_QUOTE)}"`;
  return noServer(
    `${label} did not answer as an MCP server within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}${printed}.`,
    'Check that it is one; if it is only slow to start, give it longer with --timeout <seconds>.',
  );
}

/** Explains what an address answered. */
export function explainAddress({ url }: UrlTarget, { networkError, status, contentType }: HttpEvidence): CliFailure {
  if (networkError !== undefined) return explainNetwork(url, networkError);
  if (status === 401 || status === 403) {
    const message = `${url.href} wants to know who you are (HTTP ${status}).`;
    return noServer(message, "Say it with --header 'Authorization: Bearer <token>'.");
  }
  if (status !== undefined && status >= FAILED) return explainFailure(url, status);
  const answer = contentType?.includes('html') ? 'a web page' : 'something else';
  return noServer(
    `${url.href} is not an MCP endpoint: it answered with ${answer} (HTTP ${status ?? 'without a status'}).`,
    'Check the path of the URL; many servers have their endpoint under /mcp.',
  );
}

/** Explains a server over HTTP that was there before. */
export function explainLostAddress({ url }: UrlTarget, { networkError, status }: HttpEvidence): CliFailure {
  if (networkError === undefined && status !== undefined && status >= FAILED) return explainFailure(url, status);
  const how = networkError ?? (status === undefined ? 'no answer' : `HTTP ${status}`);
  return noServer(`The server at ${url.href} went away in the middle (${how}).`, 'Start it again, then repeat this.');
}

function explainFailure(url: URL, status: number): CliFailure {
  return noServer(`The server at ${url.href} failed (HTTP ${status}).`, 'Look at its log, which says why.');
}

function explainStart({ command, label }: CommandTarget, { code, message }: NodeJS.ErrnoException): CliFailure {
  if (code === 'ENOENT') {
    return noServer(`There is no command "${command}".`, 'Check how it is written, or install it first.');
  }
  if (code === 'EACCES') {
    return noServer(`"${command}" may not be run.`, 'Make it executable (chmod +x), or name the program that runs it.');
  }
  return noServer(`"${label}" could not be started: ${message}.`, 'Try to run it by hand.');
}

function explainNetwork(url: URL, code: string): CliFailure {
  if (code === 'ECONNREFUSED') {
    return noServer(`Nobody listens at ${url.host}.`, 'Start the server first, or check the port.');
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return noServer(`There is no host called ${url.hostname}.`, 'Check its name and your network.');
  }
  if (/CERT|SELF_SIGNED|TLS|SSL/.test(code)) {
    const mend = 'Let Node trust its certificate with NODE_EXTRA_CA_CERTS, or check http against https.';
    return noServer(`There is no secure connection to ${url.host} (${code}).`, mend);
  }
  return noServer(`There is no connection to ${url.host} (${code}).`, 'Check the address; is it an HTTP server?');
}

function lastWordsOf({ lastWords }: ChildTransport): string {
  const said = tellingLines(lastWords);
  if (said.length === 0) return 'It wrote nothing to stderr; run it by hand to see more.';
  return ['Its last words on stderr say more:', ...said.map((line) => `  ${line}`)].join('\n');
}
