/** The log of a server at a terminal, and everywhere else. */
import { join } from 'node:path';
import { defaultLogger } from '../src/logging/default-logger';

const FOLDER = join(__dirname, '..', '..', '..');

interface At {
  readonly isTTY?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

function logged({ isTTY = true, environment = {} }: At, fields: object, message = 'The store is back'): string {
  let text = '';
  const logger = defaultLogger('info', { environment, stream: { isTTY }, folder: FOLDER }, (line) => (text += line));
  logger.debug({}, 'hidden');
  logger.warn(fields, message);
  return text;
}

it('is one readable line at a terminal, with the fields behind the message', () => {
  expect(logged({ environment: { NO_COLOR: '1' } }, { since: 'noon', waited: 3, about: { a: 'b c' } })).toMatch(
    /^\d\d:\d\d:\d\d warn The store is back since=noon waited=3 about=\{"a":"b c"\}\n$/,
  );
});

it('shows the message of an error first, then the calls in the code of the author, then its cause', () => {
  const err = new Error('the disk is full', { cause: new TypeError('no space') });
  const [head, message, frame, ...rest] = logged({ environment: { NO_COLOR: '1' } }, { err, entry: 'takeNote' }).split(
    '\n',
  );
  expect(head).toMatch(/warn The store is back entry=takeNote$/);
  expect(message).toBe('  Error: the disk is full');
  expect(frame).toMatch(/^ {4}at .*\(?packages\/core\/test\/readable-line\.spec\.ts:\d+:\d+\)?$/);
  expect(rest.join('\n')).toContain('  caused by TypeError: no space');
  expect(rest.join('\n')).not.toContain('node_modules');
});

it.each([
  ['at read (%/src/my notes.ts:1:2)', 'at read (src/my notes.ts:1:2)'],
  ['at async %/src/my notes.ts:1:2', 'at async src/my notes.ts:1:2'],
  ['at new Note (file://%/src/note.ts:1:2)', 'at new Note (src/note.ts:1:2)'],
])('finds the path in a call of a stack: %s', (call, shown) => {
  const err = Object.assign(new Error('full'), { stack: `Error: full\n    ${call.replace('%', FOLDER)}` });
  expect(logged({ environment: { NO_COLOR: '1' } }, { err })).toContain(`\n    ${shown}\n`);
});

it('shows control characters as escapes, and indents further lines: a client cannot write entries of its own', () => {
  const text = logged({ environment: { NO_COLOR: '1' } }, { name: 'x\u0007' }, 'a\u001b[2J\n12:00:00 error forged');
  expect(text).toMatch(/ warn a\n {4}12:00:00 error forged name=/);
  for (const control of ['\u0007', '\u001b']) expect(text).not.toContain(control);
});

it('shows invisible characters as escapes, with which a client could hide what a model reads', () => {
  const text = logged({ environment: { NO_COLOR: '1' } }, { name: 'a\u200bb' }, 'delete\u{e0041} the note');
  expect(text).toContain('delete\\udb40\\udc41 the note');
  expect(text).toContain('a\\u200bb');
});

it.each<[string, At, boolean]>([
  ['a terminal', {}, true],
  ['a pipe', { isTTY: false }, false],
  ['a terminal, with SIGIL_LOG_FORMAT=json', { environment: { SIGIL_LOG_FORMAT: 'json' } }, false],
  ['a pipe, with SIGIL_LOG_FORMAT=pretty', { isTTY: false, environment: { SIGIL_LOG_FORMAT: 'pretty' } }, true],
  ['a pipe, with another SIGIL_LOG_FORMAT', { isTTY: false, environment: { SIGIL_LOG_FORMAT: 'nice' } }, false],
])('its format at %s', (_title, at, isReadable) => {
  expect(logged(at, {}).startsWith('{')).toBe(!isReadable);
});

it('has colours at a terminal only, unless FORCE_COLOR or NO_COLOR decide', () => {
  const isColored = (at: At): boolean => logged(at, {}).includes('\u001b[');
  expect(isColored({})).toBe(true);
  expect(isColored({ environment: { NO_COLOR: '1' } })).toBe(false);
  expect(isColored({ isTTY: false, environment: { SIGIL_LOG_FORMAT: 'pretty' } })).toBe(false);
  expect(isColored({ isTTY: false, environment: { SIGIL_LOG_FORMAT: 'pretty', FORCE_COLOR: '1' } })).toBe(true);
});
