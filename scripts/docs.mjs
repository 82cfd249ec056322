/**
 * The site. `npm run docs` serves it while it is written, `npm run docs:build` writes it to docs/.vitepress/dist and fails for a
 * dead link, an anchor that is not there, a page that nothing leads to, a page that is too heavy, and one
 * that lacks a description, the words that people search it by, names of files in a tutorial, or texts of pictures. Both do their own set-up.
 */
import { join } from 'node:path';
import { prepare, root, runScript } from './prepare.mjs';
import { runNode } from './run-command.mjs';

const [task = 'dev', ...rest] = process.argv.slice(2);
const docs = join(root, 'docs');

await runScript(async () => {
  await prepare();
  // Not before what they need is installed.
  const { writeApiPages } = await import('./docs/api-pages.mjs');
  await writeApiPages(root);
  const pages = await runNode(join(root, 'scripts', 'write-errors.mjs'), ['--pages'], { cwd: root });
  if (pages.code !== 0) return pages.code;
  const vitepress = join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  const { code } = await runNode(vitepress, [task, docs, ...rest], { cwd: root });
  return task === 'build' && code === 0 ? finish() : code;
});

/** Adds what VitePress does not make, and looks at the whole. */
async function finish() {
  const dist = join(docs, '.vitepress', 'dist');
  const { base, siteUrl } = await import('../docs/.vitepress/site.mjs');
  const { drawSocialPictures } = await import('./docs/social-pictures.mjs');
  await drawSocialPictures(root, dist);
  const { writeAssistantFiles } = await import('./docs/assistant-files.mjs');
  writeAssistantFiles(root, dist);
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
