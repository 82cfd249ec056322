/** Files of a result: under which names they are written, and that all of them are, or none. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { SavedFiles } from '../src/results/saved-files';
import { showContents } from '../src/results/show-content';
import { Shell } from '../src/terminal/shell';
import { stylesFor } from '../src/terminal/styles';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const data = Buffer.from('bytes').toString('base64');

it.each([
  ['a URI of 10,000 characters', `test://${'long'.repeat(2500)}`, `${'long'.repeat(15)}-1.bin`],
  ['one that goes upwards', 'file:///a/../../../etc/passwd', 'passwd-1.bin'],
  ['one that ends upwards', 'file:///a/../..', 'file-1.bin'],
  ['one with NUL', 'test://a\u0000b', 'a-b-1.bin'],
  ['a device of Windows', 'test://x/CON', 'CON-1.bin'],
  ['a device of Windows with an ending', 'test://x/con.x.y', 'con-x-1.bin'],
  ['a stream of Windows', 'test://x/a:b', 'a-b-1.bin'],
  ['dots at the end', 'test://x/name...', 'name-1.bin'],
  ['spaces and backslashes', 'test://x/..\\..\\a b ', 'a-b-1.bin'],
  ['control characters', 'test://x/\u001b[31mred\u202e', '31mred-1.bin'],
  ['nothing', '', 'resource-1.bin'],
])('names the file of %s', (_, uri, name) => {
  const destination = { files: new SavedFiles(new Shell(), folder), styles: stylesFor({}, {}), isTerminal: false };
  showContents({ uri, blob: data }, destination);
  expect(readdirSync(folder)).toEqual([name]);
  expect(readFileSync(join(folder, name), 'utf8')).toBe('bytes');
});

it.each([
  [`image/${'x'.repeat(9000)}`, 'xxxxxxxxxxxx'],
  ['constructor', 'bin'],
  ['text/markdown; charset=utf-8', 'md'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['image/__proto__', 'bin'],
  ['image/../../x', 'bin'],
  ['image/p\nng', 'p'],
  ['', 'bin'],
])('takes from a type %j an ending that can be one', (mimeType, ending) => {
  expect(new SavedFiles(new Shell(), folder).save({ data, mimeType, stem: 'a' })).toMatch(
    new RegExp(`a-1\\.${ending}$`),
  );
});

it('writes two files for one name, and keeps existing files', () => {
  writeFileSync(join(folder, 'same-2.bin'), 'mine');
  const files = new SavedFiles(new Shell(), folder);
  const paths = [1, 2].map(() => files.save({ data, mimeType: 'a/bin', stem: 'same' }));
  expect(paths.map((path) => basename(path))).toEqual(['same-1.bin', 'same-3.bin']);
  expect(readFileSync(join(folder, 'same-2.bin'), 'utf8')).toBe('mine');
});

it('leaves none where one cannot be written', () => {
  const out = join(folder, 'out');
  const files = new SavedFiles(new Shell(), out);
  files.save({ data, mimeType: 'image/png', stem: 'first' });
  files.save({ data, mimeType: 'image/png', stem: 'second' });
  writeFileSync(join(out, 'mine.txt'), '');
  const unwritable = undefined as unknown as string; // what no disk takes
  expect(() => files.save({ data: unwritable, mimeType: 'image/png', stem: 'third' })).toThrow(
    'The files cannot be written to',
  );
  expect(readdirSync(out)).toEqual(['mine.txt']);
});

it('says where nothing can be written, and what to do', () => {
  const file = join(folder, 'file');
  mkdirSync(join(folder, 'there'));
  writeFileSync(file, '');
  expect(() => new SavedFiles(new Shell(), file).save({ data, mimeType: 'image/png', stem: 'a' })).toThrow(
    expect.objectContaining({ code: 'SIGIL_CLI_OUTPUT', exitCode: 1 }),
  );
});
