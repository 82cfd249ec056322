/** Why there is no MCP server at a target: which failure it is, and what helps. */
import type { ChildPipe } from '../../src/session/child-pipe';
import {
  explainAddress,
  explainLateness,
  explainLostAddress,
  explainProgram,
  type HttpEvidence,
} from '../../src/session/explain-silence';
import { stylesFor } from '../../src/terminal/styles';
import type { ProgramTarget } from '../../src/targets/target';
import { TemporaryFolders } from '../../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const program: ProgramTarget = { kind: 'command', command: 'serve', args: [], label: 'serve --all', cwd: '/', env: {} };
const connecting = { when: 'connecting', styles: stylesFor({}, {}) } as const;
const address = { kind: 'url', url: new URL('http://mcp.example.com:8080/mcp') } as const;

/** What is known of a program after it has ended. */
const ended = (known: Partial<ChildPipe> = {}): ChildPipe =>
  ({ rubbish: [], lastWords: [], ending: 'status 1', spoke: false, ...known }) as unknown as ChildPipe;
const systemError = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`spawn ${code}`), { code });

it.each<[string, Partial<ChildPipe>, string, string]>([
  ['is unknown', { startFailure: systemError('ENOENT') }, 'SIGIL_CLI_COMMAND_UNKNOWN', 'serve'],
  ['may not be run', { startFailure: systemError('EACCES') }, 'SIGIL_CLI_COMMAND_FORBIDDEN', 'serve'],
  ['cannot be run', { startFailure: systemError('ENOEXEC') }, 'SIGIL_CLI_COMMAND_BROKEN', 'spawn ENOEXEC'],
  ['is unknown to a shell', { ending: 'status 127' }, 'SIGIL_CLI_COMMAND_UNKNOWN', 'serve --all'],
  ['prints what is no message', { rubbish: ['Usage:\u001b[2J serve'] }, 'SIGIL_CLI_STRAY_LINE', 'Usage:'],
  ['ends with an error', { lastWords: ['It is Monday'] }, 'SIGIL_CLI_ENDED_EARLY', 'It is Monday'],
  ['ends without a word', { ending: 'signal SIGKILL' }, 'SIGIL_CLI_ENDED_EARLY', 'It wrote nothing to stderr'],
])('a program that %s while connecting', (_, known, code, words) => {
  const failure = explainProgram(program, ended(known), connecting);
  expect(failure).toMatchObject({ code, exitCode: 4 });
  expect(`${failure.message} ${failure.fix}`).toContain(words);
  // Nothing that a program prints reaches the terminal as a command to it.
  expect(failure.message).not.toContain('\u001b');
});

it('a program that ends after it was connected has gone, whatever it printed', () => {
  const child = ended({ ending: 'status 127', rubbish: ['Hello'], spoke: true, lastWords: ['Out of memory'] });
  const failure = explainProgram(program, child, { ...connecting, when: 'connected' });
  expect(failure.code).toBe('SIGIL_CLI_ENDED');
  expect(`${failure.message} ${failure.fix}`).toMatch(/status 127.*Out of memory/s);
});

it('a file that ends normally serves nothing; another one of its project may', () => {
  const folder = folders.make({
    'package.json': '{}',
    'src/other.ts': '',
    'src/main.ts': "import { createServer } from '@sigil-mcp/core';",
  });
  const failure = explainProgram(
    { ...program, file: `${folder}/src/other.ts` },
    ended({ ending: 'status 0' }),
    connecting,
  );
  expect(failure.code).toBe('SIGIL_CLI_NO_SERVER');
  expect(`${failure.message} ${failure.fix}`).toContain('other.ts');
});

it('a program that is late is quoted, in one sentence with the right number', () => {
  expect(explainLateness('"serve"', 1).message).toContain('within 1 second.');
  const quoted = explainLateness('"serve"', 30, ended({ rubbish: ['Listening on port 80'] })).message;
  expect(quoted).toContain('within 30 seconds; what it printed first was "Listening on port 80"');
});

it.each<[HttpEvidence, string]>([
  [{ networkError: 'ECONNREFUSED' }, 'SIGIL_CLI_NOBODY_LISTENS'],
  [{ networkError: 'ENOTFOUND' }, 'SIGIL_CLI_NO_HOST'],
  [{ networkError: 'EAI_AGAIN' }, 'SIGIL_CLI_NO_HOST'],
  [{ networkError: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'SIGIL_CLI_NOT_SECURE'],
  [{ networkError: 'ECONNRESET' }, 'SIGIL_CLI_NO_CONNECTION'],
  [{ status: 200, contentType: 'text/html; charset=utf-8' }, 'SIGIL_CLI_NO_ENDPOINT'],
  [{}, 'SIGIL_CLI_NO_ENDPOINT'],
])('an address with %j while connecting: %s', (evidence, code) => {
  expect(explainAddress(address, evidence)).toMatchObject({ code, exitCode: 4 });
});

it('an address that is lost is explained by the network, by its refusal, or by its status', () => {
  const known = { words: 'Closing', isProtocolError: false, challenge: undefined };
  const refusal = { status: 503, ...known, retryAfter: '2' };
  const codes = [{ networkError: 'ECONNRESET', refusal }, { status: 503, refusal }, { status: 502 }, {}].map(
    (evidence) => explainLostAddress(address, evidence),
  );
  expect(codes.map(({ code }) => code)).toEqual([
    'SIGIL_CLI_WENT_AWAY',
    'SIGIL_CLI_UNAVAILABLE',
    'SIGIL_CLI_WENT_AWAY',
    'SIGIL_CLI_WENT_AWAY',
  ]);
  expect(codes.map(({ message }) => message).join('\n')).toMatch(/ECONNRESET.*\n.*\n.*HTTP 502.*\n.*no answer/);
});
