/** The terminal of these tests shows all that a program wrote, in the order it was written, however busy the machine is. */
import { builtApp } from './built-app';
import { describeWithTerminal, Screen, sigil, Terminal } from './terminal';

jest.setTimeout(150_000);

/** Nothing else runs in this process meanwhile, as on a machine that has too much to do. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

describeWithTerminal('a terminal', () => {
  it('has the last words of a program that has ended before it was read', async () => {
    const { stdout } = await sigil(['inspect', builtApp('everything')]);
    // A pipe and a screen may wrap their lines in different places.
    const lastWords = (text: string): string[] => text.trimEnd().split(/\s+/).slice(-8);
    const terminal = new Terminal(['inspect', builtApp('everything')], { columns: 80, rows: 1000 });
    const blocking = setInterval(() => block(400), 1);
    const status = await terminal.exit.finally(() => clearInterval(blocking));
    expect(status).toBe(0);
    expect(lastWords(terminal.screen)).toEqual(lastWords(stdout));
  });
});

describe('a screen', () => {
  it('reads a control sequence that comes in two parts, wherever it is cut', () => {
    const text =
      'one \u001b[31mred\u001b[39m\r\nzero\r\ntwo\u001b]0;title\u0007\u001b[1A\u001b[2K\rthree\u001b[?25h\u001b[3Gx';
    const whole = new Screen(20);
    whole.write(text);
    expect(whole.text).toBe('one red\nthxee\ntwo');
    for (let cut = 1; cut < text.length; cut++) {
      const screen = new Screen(20);
      screen.write(text.slice(0, cut));
      screen.write(text.slice(cut));
      expect([cut, screen.text]).toEqual([cut, whole.text]);
    }
  });
});
