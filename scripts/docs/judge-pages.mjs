/** Checks the pages of the guide: each needs keywords for the search; tutorials need file names, and pictures need texts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Pages that readers follow step by step: each block of code there goes into a file. */
const FOLLOWED = ['quick-start', 'tutorial'];

/** The languages of files. */
const CODE = /^(ts|js|mjs|json|diff|yaml)$/;

/** The least number of keywords of a page. */
const KEYWORDS = 3;

/**
 * @param docs the folder of the pages
 * @param pages their paths, without `.md`
 * @returns the problems, a sentence each
 */
export function judgePages(docs, pages) {
  return pages.flatMap((page) => judgePage(page, readFileSync(join(docs, `${page}.md`), 'utf8')));
}

function judgePage(page, text) {
  const [, keywords = ''] = /^---\n(?:[\s\S]*?\n)?keywords: \[(.*)\]\n[\s\S]*?---\n/.exec(text) ?? [];
  const words = keywords.split(',').filter((word) => word.trim() !== '');
  const pictures = [...text.matchAll(/!\[\s*\]\(([^)]*)\)/g)].map(([, picture]) => picture);
  return [
    ...(words.length >= KEYWORDS
      ? []
      : [
          `docs/${page}.md has ${words.length} keywords in its front matter: name at least ${KEYWORDS} words that people search it by.`,
        ]),
    ...pictures.map((picture) => `docs/${page}.md shows ${picture} without an alternative text.`),
    ...(FOLLOWED.includes(page) ? namelessBlocks(page, text) : []),
  ];
}

function namelessBlocks(page, text) {
  const blocks = [...text.matchAll(/(^`[\w@./-]+`\n\n(?:<!-- [^\n]* -->\n)?)?^```(\w*)([^\n]*)\n([\s\S]*?)^```$/gm)];
  return blocks
    .filter(([, name, language, title]) => CODE.test(language) && name === undefined && !/\[[^\]]+\.\w+\]/.test(title))
    .map(([, , , , code]) => `docs/${page}.md has a block without the name of its file: ${code.split('\n')[0]}`);
}
