/** Each line of docs/security.md has a test, which is there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(__dirname, '..', '..', '..', 'docs');
const page = readFileSync(join(docs, 'security.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| (?!---|\|)/.test(line));
/** The file of a test, and a part of its title. */
const PROOF = /\[`[^`]+`\]\((?<file>[^)]+)\): \*(?<title>.+)\* *\|$/;

it.each(rows)('%s', (row) => {
  const { file = '', title = '' } = PROOF.exec(row)?.groups ?? {};
  expect(readFileSync(join(docs, file), 'utf8')).toContain(title);
});

it('has a line for every chapter', () => expect(rows.length).toBeGreaterThan(30));
