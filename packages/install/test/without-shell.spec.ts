/** What is written for Windows is started as applications do it: by a creation of a process, without a shell. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chooseServer, type ServerChoice, withoutShell } from '../src/choose-server';
import { CLIENTS } from '../src/clients';
import { TemporaryFolders, write } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterAll(() => folders.removeAll());

const [client] = CLIENTS as [(typeof CLIENTS)[number]];

/** A machine where the creation of a process finds programs only, no batch files; `cmd /c` finds both. */
function windows(): { readonly bin: string; readonly project: string } {
  const root = folders.make();
  const bin = join(root, 'Program Files', 'nodejs');
  const project = join(root, 'Mina anteckningar ✎');
  mkdirSync(project, { recursive: true });
  write(root, {
    'Program Files/nodejs/cmd':
      '#!/bin/sh\n[ "$1" = /c ] || exit 9\nshift\n[ "$1" = call ] && shift\nname="$1"\nshift\n[ -e "$name" ] || name="$(dirname "$0")/$name.cmd"\nexec /bin/sh "$name" "$@"\n',
    'Program Files/nodejs/node': '#!/bin/sh\necho node "$@"\n',
    'Program Files/nodejs/npx.cmd': 'echo npx "$@"\n',
    'Mina anteckningar ✎/package.json': '{ "name": "notes" }',
    'Mina anteckningar ✎/src/main.ts': '',
    'Mina anteckningar ✎/dist/main.js': 'require("@sigil-mcp/core/stdio");',
    'Mina anteckningar ✎/node_modules/@sigil-mcp/cli/dist/main.js': '',
  });
  for (const name of ['cmd', 'node']) chmodSync(join(bin, name), 0o755);
  return { bin, project };
}

/** The line that the started program prints. */
function start(
  words: readonly string[],
  more: Partial<ServerChoice> = {},
): { said: string; project: string; bin: string } {
  const { bin, project } = windows();
  const choice: ServerChoice = {
    client,
    scope: 'user',
    project,
    cwd: project,
    isCommand: true,
    platform: 'win32',
    ...more,
  };
  const { server } = chooseServer(
    words.map((word) => word.replace('<bin>', bin)),
    choice,
  );
  if (server.kind !== 'program') throw new Error('No program was written.');
  const path = `${bin}:/usr/bin:/bin`;
  const { stdout, error } = spawnSync(server.command, [...server.args], {
    cwd: project,
    env: { PATH: path },
    shell: false,
    encoding: 'utf8',
  });
  if (error) throw error;
  return { said: stdout.trim(), project, bin };
}

describe('A command that is written on Windows', () => {
  it.each([
    ['npx -y @you/notes-mcp', ['npx', '-y', '@you/notes-mcp']],
    ['the path of a batch file with a space', ['<bin>/npx.cmd', '-y', '@you/notes-mcp']],
  ])('starts without a shell: %s', (_what, words) => {
    expect(start(words).said).toBe('npx -y @you/notes-mcp');
  });

  it('starts the project, and sigil dev, with node and a file, whose path may have spaces and any letter', () => {
    const built = start([], { isCommand: false });
    expect(built.said).toBe(`node ${built.project}/dist/main.js`);
    const dev = start([], { isCommand: false, dev: true });
    const main = 'node_modules/@sigil-mcp/cli/dist/main.js';
    expect(dev.said).toBe(`node ${dev.project}/${main} dev ${dev.project}/src/main.ts`);
    const [claudeCode] = CLIENTS.filter(({ id }) => id === 'claude-code') as [(typeof CLIENTS)[number]];
    const shared = start([], { isCommand: false, dev: true, scope: 'project', client: claudeCode });
    expect(shared.said).toBe(`node ${main} dev`);
  });
});

it.each([
  ['win32', { command: 'npx', args: ['a'] }, { command: 'cmd', args: ['/c', 'npx', 'a'] }],
  ['win32', { command: 'Run.BAT', args: [] }, { command: 'cmd', args: ['/c', 'Run.BAT'] }],
  [
    'win32',
    { command: 'C:\\Program Files\\x.cmd', args: ['a'] },
    { command: 'cmd', args: ['/c', 'call', 'C:\\Program Files\\x.cmd', 'a'] },
  ],
  ['win32', { command: 'node', args: ['a&b'] }, { command: 'node', args: ['a&b'] }],
  ['win32', { command: 'uvx', args: ['x'] }, { command: 'uvx', args: ['x'] }],
  ['linux', { command: 'npx', args: ['a&b'] }, { command: 'npx', args: ['a&b'] }],
] as const)('on %s, %j is written as %j', (platform, command, expected) => {
  expect(withoutShell(command, platform)).toEqual(expected);
});

it.each(['a&b', 'a|b', '<a', '>a', '@you/notes@^1', '%PATH%', '"', 'a\nb'])(
  'the argument %j, which cmd.exe would change, is refused',
  (word) => {
    expect(() => withoutShell({ command: 'npx', args: ['-y', word] }, 'win32')).toThrow(
      'npx is a batch file on Windows',
    );
  },
);

it.each([
  [['cmd', '/c', 'npx', '-y', '@you/notes-mcp@1.2.3'], 'notes-mcp'],
  [['npx', '-y', '@you/notes-mcp'], 'notes-mcp'],
])('the server of %j is called %s', (words, name) => {
  const choice = { client, scope: 'user', project: '/', cwd: '/', isCommand: true, platform: 'win32' } as const;
  expect(chooseServer(words, choice).server.name).toBe(name);
});
