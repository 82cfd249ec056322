/** The way out: what strangers write is shown on a terminal, never obeyed. */
import { inspect } from 'node:util';
import { Worker } from 'node:worker_threads';
import { show } from '../src/terminal/outlet';
import { own, tellThreads, withOwnSequences } from '../src/terminal/own-sequences';
import { CapturedText } from '../../../test/support/captured-text';
import { Shell } from '../src/terminal/shell';
import { stylesFor } from '../src/terminal/styles';
import { visible, visibleLine } from '@sigil-mcp/core/internal';

const bold = stylesFor({ isTTY: true }, { TERM: 'xterm' }).bold;
/** Every character of the lower planes that a terminal or its writing direction obeys. */
const OBEYED = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code))
  .filter((character) => /[\p{Cc}]/u.test(character) && character !== '\n' && character !== '\t')
  .concat(['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069']);

function shown(text: string): string {
  let written = '';
  show({ write: (part) => (written += part) }, text);
  return written;
}

/** What arrives on stdout, as a terminal or a pipe. */
function printed(work: (shell: Shell) => void, isTTY: boolean): string {
  const stdout = new CapturedText(isTTY);
  work(new Shell({ stdout }));
  return stdout.text;
}

it.each(OBEYED.map((character) => [inspect(character), character]))(
  'shows %s instead of obeying it',
  (_, character) => {
    const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    expect(shown(`a${character}b`)).toBe(`a${escape}b`);
  },
);

/** Code points that are drawn as nothing where they stand between `a` and `b`. */
const UNSEEN = [
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0x2064, 0x206a, 0x3164],
  ...[0xfe00, 0xfe0e, 0xfe0f, 0xfeff, 0xfffb, 0xe0001, 0xe0041, 0xe007f, 0xe0100],
];

it.each(UNSEEN.map((code) => [code.toString(16), String.fromCodePoint(code)]))(
  'shows U+%s, which nobody would see and a model would read',
  (_, character) => {
    const text = shown(`a${character}b`);
    expect(text).toMatch(/^a(\\u[\da-f]{4}){1,2}b$/);
    expect(JSON.parse(`"${text}"`)).toBe(`a${character}b`);
  },
);

it('leaves joiners and selectors where they make a picture or a word', () => {
  const text = '❤️ ❤️‍🔥 1️⃣ 👩🏽‍🚀 ☎︎ می‌خواهم क्‍ष';
  expect(shown(text)).toBe(text);
  expect(shown('می‌‌خ')).toBe('می‌\\u200cخ');
});

it('leaves lines, tabs and all other text as they are', () => {
  const text = 'a\tb\nc\r\n日本 👨‍👩‍👧‍👦 é';
  expect(shown(text)).toBe('a\tb\nc\n日本 👨‍👩‍👧‍👦 é');
});

it('lets our own styles through, and nothing within them', () => {
  expect(shown(`${bold('\u001b[31mred')}\u001b[0m`)).toBe('\u001b[1m\\u001b[31mred\u001b[22m\\u001b[0m');
  expect(shown(own('\u001b[2K'))).toBe('\u001b[2K');
});

it('keeps JSON the same JSON on a terminal, and every character as it is in a pipe', () => {
  const value = { text: OBEYED.join('') };
  const atTerminal = printed((shell) => shell.printData(JSON.stringify(value)), true);
  expect(JSON.parse(atTerminal)).toEqual(value);
  // eslint-disable-next-line no-control-regex -- they are what this is about
  expect(atTerminal).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(printed((shell) => shell.printData('a\u001b[31mb\r\n'), false)).toBe('a\u001b[31mb\r\n');
  expect(printed((shell) => shell.print('a\u001b[31mb'), false)).toBe('a\\u001b[31mb\n');
});

it('takes the colours from what a program logs, and shows the rest', () => {
  expect(visibleLine('\u001b[1;31mError\u001b[0m: \u001b]0;title\u0007')).toBe('Error: \\u001b]0;title\\u0007');
  expect(visible(visible('\u001b'))).toBe('\\u001b');
});

it('knows the sequences that our own threads write', async () => {
  tellThreads();
  const code = `
    const { getEnvironmentData, parentPort } = require('node:worker_threads');
    parentPort.postMessage(getEnvironmentData('sigil: mark of own sequences') + '[1m');`;
  const worker = new Worker(code, { eval: true });
  const said = await new Promise<string>((resolve) => worker.once('message', resolve));
  expect(withOwnSequences(said)).toBe('\u001b[1m');
});
