/** What `sigil doctor` finds that gets below the guard of stdout. */
import { doctor, removeProjects, sound } from '../../../test/support/sound-project';

afterEach(removeProjects);

const SERVER = `${sound['src/main.ts']}import './work';\n`;
const program = (work: string): Readonly<Record<string, string>> => ({ 'src/main.ts': SERVER, 'src/work.ts': work });

it.each([
  ['a namespace', "import * as fs from 'node:fs';\nfs.writeSync(1, 'x');"],
  ['a default import', "import fs from 'fs';\nfs.writeFileSync(1, 'x');"],
  ['a name', "import { writeSync } from 'node:fs';\nwriteSync(process.stdout.fd, 'x');"],
  ['another name', "import { appendFileSync as say } from 'node:fs';\nsay('/dev/stdout', 'x');"],
  ['require', "const fs = require('node:fs');\nfs.write(1, 'x', () => {});"],
  ['parts of require', "const { writeSync: say } = require('fs');\nsay(1, 'x');"],
  ['import =', "import fs = require('fs');\nfs.writevSync(1, []);"],
  ['a constant', "import fs from 'node:fs'; const OUT = 1 as const;\nfs.writeSync(OUT, 'x');"],
  ['a stream', "import fs from 'node:fs';\nfs.createWriteStream(null as never, { fd: 1 });"],
  ['a stream of a file', "import { createWriteStream } from 'node:fs';\ncreateWriteStream('/dev/stdout');"],
])('finds what is written to file descriptor 1, through %s', async (_, work) => {
  const { status, stdout } = await doctor(program(work));
  expect(status).toBe(1);
  expect(stdout).toContain(
    '✗ No code bypasses the guard of stdout\n' +
      '    src/work.ts:2 writes to file descriptor 1, which bypasses the guard of stdout, so the client receives it.\n' +
      '    → Use console.log() or process.stdout, which the guard redirects to stderr, or file descriptor 2.\n',
  );
  expect(stdout).toContain('1 thing to fix.');
});

it.each([
  ["spawn('ls', [], { stdio: 'inherit' });"],
  ["spawn('ls', [], { stdio: ['ignore', 'inherit', 'inherit'] });"],
  ["spawn('ls', [], { stdio: [0, 1, 2] });"],
  ["spawn('ls', [], { stdio: ['pipe', process.stdout, process.stderr] as const });"],
  ["execa('ls', { cwd: '.', 'stdio': ('inherit') });"],
  ["const options = { stdio: 'inherit' as const }; spawn('ls', [], options);"],
  ["fork('x.js');"],
  ["fork('x.js', ['y'], { cwd: '.' });"],
])('finds a child process that inherits stdout: %s', async (call) => {
  const work = `import { fork, spawn } from 'node:child_process';\ndeclare const execa: any;\n${call}`;
  const { status, stdout } = await doctor(program(work));
  expect(status).toBe(1);
  expect(stdout).toContain(
    '    src/work.ts:3 gives a child process the stdout of the server, so the client receives its output.\n' +
      "    → Write stdio: ['ignore', 'pipe', 'inherit'] and read its stdout, or use 2 instead of 'pipe' to send it to stderr.\n",
  );
  expect(stdout).toContain('1 thing to fix.');
});

it.each([
  ['stderr', "import fs from 'node:fs';\nfs.writeSync(2, 'x'); fs.writeSync(process.stderr.fd, 'x');"],
  ['another file', "import fs from 'node:fs';\nconst fd = fs.openSync('log', 'a'); fs.writeSync(fd, '1');"],
  ['a stream to stderr', "import fs from 'node:fs';\nfs.createWriteStream('x', { fd: 2 });"],
  ['what is read', "import fs from 'node:fs';\nfs.readSync(1, Buffer.alloc(1)); fs.closeSync(1);"],
  ['functions of the same name', 'declare const bus: any;\nbus.writeSync(1, 0); bus.write(1);'],
  ['a function of its own', 'function writeSync(a: number): void { void a; }\nwriteSync(1);'],
  ['the guarded stdout', "process.stdout.write('x'); console.log('x');"],
  [
    'children whose stdout is read',
    "declare const spawn: any;\nspawn('ls', [], { stdio: ['ignore', 'pipe', 'inherit'] });",
  ],
  [
    'children that write to stderr',
    "declare const spawn: any;\nspawn('ls', [], { stdio: ['inherit', 2, 'inherit'] });",
  ],
  ['silent children', "declare const spawn: any;\nspawn('ls', [], { stdio: 'ignore' });"],
  [
    'silent forks',
    "import { fork } from 'node:child_process';\nfork('x.js', { silent: true }); fork('x.js', [], { stdio: 'pipe' });",
  ],
  [
    'forks that nobody can judge',
    "import { fork } from 'node:child_process';\ndeclare const options: object; fork('x.js', options);",
  ],
  ['a constant that is made of itself', 'const stdio = stdio; void { stdio: stdio };'],
])('finds nothing in %s', async (_, work) => {
  const { status, stdout } = await doctor(program(work));
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('No problems found.') as string });
});

it('leaves programs alone that speak no stdio, and follows what a server imports', async () => {
  const writes = "import fs from 'node:fs';\nfs.writeSync(1, 'x');";
  expect((await doctor({ 'src/script.ts': writes })).status).toBe(0);
  const deep = {
    'src/main.ts': `${sound['src/main.ts']}void import('./far.js');\n`,
    'src/far.ts': "export * from './farther';\nimport './far';\n",
    'src/farther.ts': `${writes}\nexport {};\n`,
  };
  expect((await doctor(deep)).stdout).toContain('src/farther.ts:2 writes to file descriptor 1');
});
