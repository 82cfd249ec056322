/** Each published vulnerability on docs/vulnerabilities.md has a test that is there, or a reason why it cannot occur. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(__dirname, '..', '..', '..', 'docs');
const rows = readFileSync(join(docs, 'vulnerabilities.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!---|published)/.test(line));
/** The file of a test, and a part of its title. */
const PROOF = /\[`[^`]+`\]\((?<file>[^)]+)\): \*(?<title>[^*]+)\* *\|$/;

it.each(rows)('%s', (row) => {
  const { file, title = '' } = PROOF.exec(row)?.groups ?? {};
  if (file === undefined) expect(row).toMatch(/\| cannot occur/);
  else expect(readFileSync(join(docs, file), 'utf8')).toContain(title);
});

it('names every CVE that is known to the maintainers', () => {
  const named = new Set(rows.flatMap((row) => row.match(/CVE-\d{4}-\d+|GHSA(-\w{4}){3}/g) ?? []));
  expect(named.size).toBeGreaterThanOrEqual(30);
});
