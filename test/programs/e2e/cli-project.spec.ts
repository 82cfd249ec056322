/** Commands in the folder of a TypeScript project. */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtApp } from './built-app';
import { CLI } from './dev-project';
import { HttpApp } from './http-app';
import { describeWithTerminal, sigil, spawnSigil, Terminal } from './terminal';
import { TypescriptProject } from './typescript-project';

// Compilers take their time.
jest.setTimeout(120_000);

let project: TypescriptProject;
beforeAll(() => (project = new TypescriptProject()));
afterAll(() => project.remove());

const run = (args: readonly string[], input = '') => sigil(args, { cwd: project.folder, input });

describe('a project', () => {
  it('is compiled by two commands at once, and then not again until a file changes', async () => {
    const both = await Promise.all([
      run(['call', '.', 'multiply', 'value=4']),
      run(['call', '.', 'multiply', 'value=5']),
    ]);
    expect(both).toEqual([
      { status: 0, stdout: '8\n', stderr: '' },
      { status: 0, stdout: '10\n', stderr: '' },
    ]);
    const before = project.compilations;
    expect((await run(['call', '.', 'multiply', 'value=6'])).stdout).toBe('12\n');
    expect((await run(['inspect'])).stdout).toContain('Multiplies a number');
    expect(project.compilations).toBe(before);
    project.write('src/factor.ts', 'export const factor = 3;\n');
    expect((await run(['call', '.', 'multiply', 'value=6'])).stdout).toBe('18\n');
    expect(project.compilations).toBe(before + 1);
    const left = readdirSync(join(project.folder, 'node_modules', '.cache', 'sigil'));
    expect(left.filter((name) => /\.\d+$/.test(name))).toEqual([]);
  });
});

describe('a command that is interrupted', () => {
  it('while it compiles leaves nothing of it, and the next one compiles', async () => {
    project.write('src/factor.ts', 'export const factor = 4;\n');
    const interruption = new AbortController();
    const words = ['call', '.', 'multiply', 'value=6'];
    const running = sigil(words, { cwd: project.folder, signal: interruption.signal });
    interruption.abort();
    expect((await running).status).toBe(130);
    expect((await run(words)).stdout).toBe('24\n');
    const left = readdirSync(join(project.folder, 'node_modules', '.cache', 'sigil'));
    expect(left.filter((name) => /\.\d+$/.test(name))).toEqual([]);
  });
});

describe('sigil call', () => {
  it('takes the project of the folder, if the first word cannot be a target', async () => {
    expect(await run(['call', 'multiply', 'value=2'])).toMatchObject({ status: 0, stderr: '' });
    expect(await run(['call', 'multipy', 'value=2'])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'The server has no tool "multipy". [SIGIL_CLI_ENTRY_UNKNOWN]\n' +
        'Check its name. Did you mean multiply? There is no file "multipy" either.\n',
    });
    expect((await run(['call', './multiply', 'value=2'])).stderr).toContain('There is no file "./multiply".');
    expect((await run(['call', 'main.ts', 'value=2'])).stderr).toContain('There is no file "main.ts".');
  });

  it('prefers a tool to a folder of its name, if an argument follows', async () => {
    project.write('multiply/readme.txt', '');
    expect((await run(['call', 'multiply', 'value=2'])).status).toBe(0);
    expect((await run(['call', 'multiply'])).stderr).toContain('No tool to call was given.');
    rmSync(join(project.folder, 'multiply'), { recursive: true });
  });

  it('reads the arguments as JSON from stdin', async () => {
    expect(await run(['call', 'multiply', '-'], '{ "value": 2 }\n')).toMatchObject({ status: 0, stderr: '' });
    expect((await run(['call', '.', 'multiply', '-'], '[2]')).stderr).toBe(
      'The arguments on stdin are not a JSON object: it is not an object. [SIGIL_CLI_STDIN]\n' +
        'Pipe one JSON object into the command: sigil call <tool> - < arguments.json\n',
    );
    expect((await run(['call', 'multiply', '-'])).stderr).toContain('not a JSON object: it is empty.');
  });

  it('repeats the call after each change with --watch, also after one that does not compile', async () => {
    const outputs: string[] = [];
    const steps: readonly (readonly [seen: RegExp, then: (pid: number) => void])[] = [
      [/Waiting for changes/, () => project.write('src/factor.ts', 'export const factor: number = "x";\n')],
      [/does not compile[^]*Waiting for changes/, () => project.write('src/factor.ts', 'export const factor = 7;\n')],
      [/does not compile[^]*Waiting for changes[^]*Waiting for changes/, (pid) => process.kill(pid, 'SIGINT')],
    ];
    const ended = await spawnSigil(['call', 'multiply', 'value=10', '--watch'], {
      cwd: project.folder,
      onStderr: (text, pid) => {
        const step = steps[outputs.length];
        if (!step?.[0].test(text)) return;
        outputs.push(text);
        step[1](pid);
      },
    });
    expect(ended).toMatchObject({ status: 130, stdout: expect.stringMatching(/^\d+\n70\n$/) });
  });
});

describe('sigil call with an address', () => {
  let app: HttpApp;
  beforeAll(async () => (app = await HttpApp.start('weather')));
  afterAll(() => app.kill('SIGKILL'));

  it('needs no http://, and no path if it is /mcp', async () => {
    const { host } = new URL(app.url);
    for (const address of [`${host}/mcp`, host, `http://${host}`, `localhost:${app.port}`]) {
      expect({ address, ...(await sigil(['call', address, 'forecast', 'city=Oslo', 'days=1'])) }).toMatchObject({
        address,
        status: 0,
        stdout: expect.stringContaining('Oslo'),
      });
    }
    expect((await sigil(['inspect', `${host}/other`])).stderr).toContain('There is nothing under this path');
  });
});

describe('sigil completion', () => {
  const complete = (...words: string[]) => {
    const { stdout } = spawnSync(process.execPath, [CLI, 'completion', 'bash'], { encoding: 'utf8' });
    const script = `sigil() { "${process.execPath}" "${CLI}" "$@"; }
${stdout}
COMP_WORDS=(sigil "$@"); COMP_CWORD=$#; _sigil; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const ran = spawnSync('bash', ['-c', script, 'bash', ...words], { cwd: project.folder, encoding: 'utf8' });
    return ran.stdout.split('\n').filter((line) => line !== '');
  };

  it('completes commands, options and values in bash', () => {
    expect(complete('insp')).toEqual(['inspect']);
    expect(complete('in')).toEqual(['install', 'inspect']);
    expect(complete('')).toEqual(expect.arrayContaining(['new', 'dev', 'call', 'completion']));
    expect(complete('')).not.toContain('complete');
    expect(complete('inspect', '--js')).toEqual(['--json']);
    expect(complete('new', '--transport', 'h')).toEqual(['http']);
    expect(complete('add', 'to')).toEqual(['tool']);
  });

  it('completes the tools of the project and their arguments, once they were listed', async () => {
    project.write('node_modules/.cache/sigil/tools.json', '{ "broken');
    expect(complete('call', '')).toEqual([]);
    expect((await run(['inspect', '--json'])).status).toBe(0);
    expect(complete('call', 'mul')).toEqual(['multiply']);
    expect(complete('call', 'takeNote', 'p')).toEqual(['priority=', 'pages=']);
    expect(complete('call', '--json', '.', 'takeNote', 'ti')).toEqual(['title=']);
  });

  it.each(['zsh', 'fish', 'powershell'])('prints a script for %s', (shell) => {
    const { status, stdout } = spawnSync(process.execPath, [CLI, 'completion', shell], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('sigil complete -- ') });
  });
});

describe('--answer', () => {
  const everything = builtApp('everything');
  const ask = (...answers: string[]) =>
    sigil(['call', everything, 'test_elicitation', 'message=Who?', ...answers.flatMap((one) => ['--answer', one])]);

  it('for a field that the form does not have is an error that names the right ones', async () => {
    const { status, stderr } = await ask('confirm=true');
    expect(status).toBe(2);
    expect(stderr).toContain(
      'The form of the server has no field "confirm", which --answer names. [SIGIL_CLI_ANSWER_FIELD]\nCheck the name. Available: ',
    );
    expect((await ask('username=Ada', 'email=ada@example.com', 'emial=x')).stderr).toContain('Did you mean email?');
  });

  it('mentions a name that no form had', async () => {
    const { status, stderr } = await ask('username=Ada', 'email=ada@example.com', 'somethingElse=x');
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining('No form had a field somethingElse; the fields were: '),
    });
  });
});

describeWithTerminal('a project at a terminal', () => {
  it('shows a line while it compiles, which is gone when the result is there', async () => {
    project.write('src/factor.ts', 'export const factor = 5;\n');
    const terminal = new Terminal(['call', '.', 'multiply', 'value=6'], { cwd: project.folder });
    await terminal.sees('Compiling src/main.ts');
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toBe('30');
  });

  it('asks for required arguments that are missing, as their types', async () => {
    const terminal = new Terminal(['call', 'takeNote', 'text=more'], { cwd: project.folder });
    await terminal.sees('title (at least 3 characters)');
    terminal.press('ab\r');
    await terminal.sees('It must be: at least 3 characters.');
    terminal.press('c\r');
    await terminal.sees('priority');
    terminal.press('\u001b[B\r');
    await terminal.sees('pages (integer[]');
    terminal.press('[1,2]\r');
    expect(await terminal.exit).toBe(0);
    expect(JSON.parse(terminal.screen.slice(terminal.screen.indexOf('{')))).toEqual({
      title: 'abc',
      priority: 'high',
      pages: [1, 2],
      text: 'more',
    });
  });

  it('names the missing arguments after Escape', async () => {
    const terminal = new Terminal(['call', 'multiply'], { cwd: project.folder });
    await terminal.sees('The number');
    terminal.press('\u001b');
    expect(await terminal.exit).toBe(2);
    expect(terminal.screen).toContain('The tool multiply needs "value".');
  });
});
