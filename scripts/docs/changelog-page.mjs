/** The changelog as a page of the site. Git keeps only CHANGELOG.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HEAD = `---
description: What changed in each version of Sigil, and what to do when you upgrade.
keywords: [changelog, release notes, releases, what is new, versions, upgrade, breaking changes]
editLink: false
---

`;

/** Writes the page if it differs. @param root the repository */
export function writeChangelogPage(root) {
  const target = join(root, 'docs', 'changelog.md');
  const text = HEAD + withLinksOfDocs(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text);
}

/** Links that are relative to the top folder of the repository, relative to `docs`. */
function withLinksOfDocs(markdown) {
  return markdown.replace(/(\]\()(?![a-z]+:|#|\/)([^)\s]+)(\))/g, (_, open, path, close) =>
    path.startsWith('docs/') ? `${open}./${path.slice('docs/'.length)}${close}` : `${open}../${path}${close}`,
  );
}
