/** The last output of `sigil new`: the next commands, and how to connect a client. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { wordsOf } from './installers';
import { speaksStdio, type ProjectChoices } from './project-choices';
import { quoteForShell } from './project-files';

/**
 * @param choices of the new project
 * @param cwd the user's current folder
 */
export function nextSteps(choices: ProjectChoices, cwd: string): string {
  const { run, exec, test, install } = wordsOf(choices.packageManager);
  const way = relative(cwd, choices.folder);
  const commands = [
    ...(way === '' ? [] : [{ line: `cd ${quoteForShell(way)}`, what: '' }]),
    ...(choices.install ? [] : [{ line: install, what: 'installs its packages' }]),
    ...(choices.template === 'empty'
      ? [{ line: `${exec} sigil add feature tasks`, what: 'writes a feature with a tool and its test' }]
      : []),
    {
      line: `${run} dev`,
      what: choices.tokens
        ? 'serves it with an issuer to sign in at, and restarts it on every change'
        : 'serves it, and restarts it on every change',
    },
    ...(existsSync(join(choices.folder, 'sigil.lock.json'))
      ? []
      : [{ line: `${exec} sigil contract`, what: 'writes what it promises to clients; its tests need it' }]),
    { line: test, what: 'runs its tests' },
  ];
  const width = Math.max(...commands.map(({ line }) => line.length));
  return [
    '',
    `${choices.name} is ready:`,
    '',
    ...commands.map(({ line, what }) => `  ${what === '' ? line : `${line.padEnd(width)}   # ${what}`}`),
    '',
    connecting(choices),
    '',
  ].join('\n');
}

function connecting(choices: ProjectChoices): string {
  const { name, folder, install, packageManager } = choices;
  const { run, exec } = wordsOf(packageManager);
  const main = quoteForShell(join(folder, 'dist', 'main.js'));
  const command = speaksStdio(choices)
    ? `claude mcp add --scope user ${name} -- node ${main}`
    : `claude mcp add --transport http ${name} http://127.0.0.1:3000/mcp`;
  const built = speaksStdio(choices) && !install ? `${run} build && ` : '';
  const running = speaksStdio(choices) ? 'Add' : 'While it runs, add';
  return `${running} it to Claude Code with:\n\n  ${built}${command}\n\nFor Claude Desktop, Cursor, VS Code and others: ${exec} sigil install (see README.md).`;
}
