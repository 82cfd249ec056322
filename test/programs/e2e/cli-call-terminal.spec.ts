/** `sigil call` and `sigil inspect` at a terminal: what a person sees and types. */
import { builtApp } from './built-app';
import { describeWithTerminal, Terminal } from './terminal';

jest.setTimeout(150_000);

const everything = builtApp('everything');
const ENTER = '\r';
const ESCAPE = '\u001b';
const CTRL_C = '\u0003';

describeWithTerminal('at a terminal', () => {
  const open: Terminal[] = [];
  const start = (...args: string[]): Terminal => {
    const terminal = new Terminal(args);
    open.push(terminal);
    return terminal;
  };
  afterEach(() => open.splice(0).forEach((terminal) => terminal.kill()));

  it('progress is a bar in one line, which is gone when the result is there', async () => {
    const terminal = start('call', everything, 'test_tool_with_progress');
    expect(await terminal.exit).toBe(0);
    expect(terminal.bytes).toContain('50 %  Completed step 50 of 100');
    expect(terminal.bytes).toMatch(/█{12}\S*░{12}/);
    expect(terminal.screen).toBe('Progress was reported three times.');
  });

  it('the fields of a form are asked one after the other, and judged as they are typed', async () => {
    const terminal = start('call', everything, 'test_elicitation', 'message=Who are you?');
    await terminal.sees('User name: How the user is called (1 to 100 characters)');
    expect(terminal.screen).toContain('Who are you?');
    terminal.press(`Jo${ENTER}`);
    await terminal.sees('E-mail: Where the user can be reached (email)');
    terminal.press(`nowhere${ENTER}`);
    await terminal.sees('It must be: email.');
    terminal.press(`@example.com${ENTER}`);
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('User response: accept, {"username":"Jo","email":"nowhere@example.com"}');
  });

  it('Escape asks whether that means no', async () => {
    const terminal = start('call', everything, 'test_elicitation', 'message=Who are you?');
    await terminal.sees('User name');
    terminal.press(ESCAPE);
    await terminal.sees('Decline or cancel?');
    terminal.press(ENTER);
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('User response: decline');
  });

  it('Ctrl-C at a question ends the command', async () => {
    const terminal = start('call', everything, 'test_elicitation', 'message=Who are you?');
    await terminal.sees('User name');
    terminal.press(CTRL_C);
    expect(await terminal.exit).toBe(130);
    expect(terminal.screen).toContain('Cancelled by Ctrl-C.');
  });

  it('a person answers for the model', async () => {
    const terminal = start('call', everything, 'test_sampling', 'prompt=How are you?');
    await terminal.sees('What does the model answer?');
    expect(terminal.screen).toContain('user: How are you?');
    terminal.press(`Fine${ENTER}`);
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('LLM response: Fine');
  });

  it('colours are shown, unless NO_COLOR is set', async () => {
    const colored = start('inspect', everything);
    const plain = new Terminal(['inspect', everything], { env: { NO_COLOR: '1' } });
    await Promise.all([colored.exit, plain.exit]);
    expect(colored.bytes).toContain('\u001b[1mTools (35)');
    // The line that names a wait is erased, which is not a colour.
    expect(plain.bytes.replaceAll('\u001b[2K\u001b[1G', '')).not.toContain('\u001b[');
  });

  it('lines are as wide as the terminal', async () => {
    const terminal = new Terminal(['inspect', builtApp('weather')], { columns: 60, rows: 200 });
    expect(await terminal.exit).toBe(0);
    expect(Math.max(...terminal.screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
    expect(terminal.screen).toContain('    What the weather is normally like in a city on the\n    coming days');
  });
});
