/**
 * The site. `npm run docs` serves it while it is written, `npm run docs:build` writes it to docs/.vitepress/dist. The build fails for a
 * dead link or anchor, a page without a link to it, a page that is too large, and one without a description, search keywords, file names
 * in a tutorial, or alternative texts of pictures. Both commands do their own set-up.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, runScript } from './prepare.mjs';
import { runCommand, runNode } from './run-command.mjs';

const [task = 'dev', ...rest] = process.argv.slice(2);
const docs = join(root, 'docs');

await runScript(async () => {
  await prepare();
  // Imported only after its dependencies are installed.
  const { writeApiPages } = await import('./docs/api-pages.mjs');
  writeApiPages(root);
  const { writeChangelogPage } = await import('./docs/changelog-page.mjs');
  writeChangelogPage(root);
  const supply = await runNode(join(root, 'scripts', 'install-supply.mjs'), ['site'], { cwd: root });
  if (supply.code !== 0) return supply.code;
  const vitepress = join(docs, '.vitepress', 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  // Pages are thrown away by the thousand: with more room for what is new, little of it is looked at twice.
  const { code } = await runCommand(process.execPath, ['--max-semi-space-size=64', vitepress, task, docs, ...rest], {
    cwd: root,
  });
  return task === 'build' && code === 0 ? finish() : code;
});

/** Adds the files that VitePress does not write, and checks the result. */
async function finish() {
  const dist = join(docs, '.vitepress', 'dist');
  const { base, siteUrl } = await import('../docs/.vitepress/site.mjs');
  const { drawSocialPictures } = await import('./docs/social-pictures.mjs');
  await drawSocialPictures(root, dist);
  const { writeAssistantFiles } = await import('./docs/assistant-files.mjs');
  writeAssistantFiles(root, dist);
  const { errorRedirects } = await import('./docs/error-pages.mjs');
  const { errorGroups } = await import('./error-groups.cjs');
  mkdirSync(join(dist, 'e'), { recursive: true });
  for (const [name, text] of errorRedirects(root, errorGroups(root, 'dist'), base))
    writeFileSync(join(dist, 'e', name), text);
  const { judgeSite } = await import('./docs/judge-site.mjs');
  const { judgeHeads } = await import('./docs/judge-heads.mjs');
  const { pages, problems: found } = judgeSite(dist, base);
  const { judgePages } = await import('./docs/judge-pages.mjs');
  const { parts } = await import('../docs/.vitepress/pages.mjs');
  const guide = parts().flatMap((part) => part.pages);
  const problems = [...found, ...judgeHeads(dist, siteUrl), ...judgePages(docs, guide)];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  const heaviest = pages.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  process.stdout.write(
    `${pages.length} pages; the heaviest is ${heaviest.path} with ${inKilobytes(heaviest.bytes)} KB\n`,
  );
  return problems.length === 0 ? 0 : 1;
}

function inKilobytes(bytes) {
  return Math.ceil(bytes / 1000);
}
