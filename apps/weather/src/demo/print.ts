/** The output of the demonstration on a terminal. */

const colours = process.stdout.isTTY && !process.env['NO_COLOR'];
const paint = (code: number, text: string): string => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
const WIDTH = 100;

/** The title of a step. */
export function heading(title: string): void {
  say(`\n${paint(1, title)}`);
}

/** A request, with its method name. */
export function sent(method: string, params?: unknown): void {
  say(paint(2, `  → ${method}${params === undefined ? '' : ` ${JSON.stringify(params)}`}`));
}

/** A notification of the server. */
export function heard(method: string, params: unknown): void {
  say(paint(2, `  ← ${shorten(`${method} ${JSON.stringify(params)}`)}`));
}

/** One item of an answer. */
export function item(name: string, rest = ''): void {
  say(`  ${paint(36, name.padEnd(22))} ${shorten(rest)}`);
}

/** Unchanged lines. */
export function lines(text: string): void {
  for (const line of text.split('\n')) say(`  ${line}`);
}

/** An error, on stderr. */
export function complain(error: unknown): void {
  process.stderr.write(`\nThe demonstration failed: ${error instanceof Error ? error.message : String(error)}\n`);
}

function shorten(text: string): string {
  const letters = [...text];
  return letters.length > WIDTH ? `${letters.slice(0, WIDTH - 1).join('')}…` : text;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
