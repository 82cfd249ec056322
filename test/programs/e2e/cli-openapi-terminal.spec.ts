/** `sigil add openapi` at a terminal: a person picks the groups, then the operations. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpenApiProject } from './openapi-project';
import { describeWithTerminal, Terminal } from './terminal';

jest.setTimeout(120_000);

const SPACE = ' ';
const DOWN = '\u001b[B';
const ENTER = '\r';
const CTRL_C = '\u0003';
const document = join(__dirname, 'fixtures', 'bakery-api', 'openapi.yaml');

describeWithTerminal('sigil add openapi at a terminal', () => {
  let project: OpenApiProject;
  beforeAll(async () => void (project = await OpenApiProject.make()));
  let terminal: Terminal;
  afterEach(() => terminal.kill());
  afterAll(() => project.remove());

  const add = (...words: string[]): Terminal =>
    (terminal = new Terminal(['add', 'openapi', ...words], {
      columns: 120,
      cwd: project.folder,
      env: { NO_COLOR: '1' },
    }));
  const feature = (): string => join(project.folder, 'src', 'bakery', 'orders.feature.ts');

  it('writes nothing if the user cancels', async () => {
    add(document);
    await terminal.sees('Which parts of the API?');
    terminal.press(CTRL_C);
    expect(await terminal.exit).toBe(130);
    expect(existsSync(feature())).toBe(false);
  });

  it('writes the operations that the user picks, and asks only once', async () => {
    add(document);
    await terminal.sees('Which parts of the API?');
    terminal.press(`${SPACE}${ENTER}`);
    await terminal.sees('Which operations of orders?');
    terminal.press(`${SPACE}${DOWN}${DOWN}${SPACE}${ENTER}`);
    expect(await terminal.exit).toBe(0);
    const text = readFileSync(feature(), 'utf8');
    expect(text.match(/@Tool\(/g)).toHaveLength(2);
    expect(text).toContain('listOrders(');
    expect(text).toContain('getOrder(');
    add();
    await terminal.sees('Nothing has changed.');
    expect(await terminal.exit).toBe(0);
  });
});
