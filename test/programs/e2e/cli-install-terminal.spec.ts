import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithTerminal, Terminal } from './terminal';

const ENTER = '\r';
const CTRL_C = '\u0003';

describeWithTerminal('sigil install at a terminal', () => {
  let home: string;
  let project: string;
  let terminal: Terminal;

  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-install-')));
    project = join(home, 'notes');
    mkdirSync(join(project, 'dist'), { recursive: true });
    mkdirSync(join(home, '.cursor'));
    writeFileSync(join(project, 'package.json'), '{ "name": "notes" }');
    writeFileSync(join(project, 'dist', 'main.js'), '');
  });
  afterEach(() => {
    terminal.kill();
    rmSync(home, { recursive: true, force: true });
  });

  const install = (...words: string[]): Terminal =>
    (terminal = new Terminal(['install', ...words], {
      columns: 120,
      cwd: project,
      env: { HOME: home, USERPROFILE: home, NO_COLOR: '1' },
    }));
  const settings = (): string => join(home, '.cursor', 'mcp.json');

  it('asks for the application, the values and the change, and shows no secret', async () => {
    writeFileSync(join(project, '.env.example'), '# The key of the API\nAPI_KEY=\nREGION=eu\n');
    install();
    await terminal.sees('Which application?');
    terminal.press(ENTER);
    await terminal.sees('API_KEY: The key of the API');
    terminal.press('s3cret');
    terminal.press(ENTER);
    await terminal.sees('REGION');
    terminal.press(`-west${ENTER}`);
    await terminal.sees('Add notes to Cursor?');
    expect(existsSync(settings())).toBe(false);
    terminal.press(ENTER);
    expect(await terminal.exit).toBe(0);
    expect(terminal.bytes).not.toContain('s3cret');
    expect(JSON.parse(readFileSync(settings(), 'utf8'))).toMatchObject({
      mcpServers: { notes: { env: { API_KEY: 's3cret', REGION: 'eu-west' } } },
    });
  });

  it('changes nothing if the user declines, cancels, or the file changes meanwhile', async () => {
    install('cursor');
    await terminal.sees('Add notes to Cursor?');
    terminal.press('n');
    expect(await terminal.exit).toBe(130);
    expect(existsSync(settings())).toBe(false);

    install('cursor');
    await terminal.sees('Add notes to Cursor?');
    terminal.press(CTRL_C);
    expect(await terminal.exit).toBe(130);
    expect(existsSync(settings())).toBe(false);

    install('cursor');
    await terminal.sees('Add notes to Cursor?');
    writeFileSync(settings(), '{ "mcpServers": { "other": {} } }');
    terminal.press(ENTER);
    expect(await terminal.exit).toBe(1);
    expect(terminal.screen).toContain('has changed while you decided.');
    expect(readFileSync(settings(), 'utf8')).toBe('{ "mcpServers": { "other": {} } }');
  });
});
