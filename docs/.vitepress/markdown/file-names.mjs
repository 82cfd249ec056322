/**
 * Blocks of code with the name of their file. On GitHub the name is a line of its own above the block, such as `src/server.ts`; on the site
 * it is the title of the block. A block from a region of an example has the name of that file, with a link.
 */
import { REPOSITORY } from '../links.mjs';

/** A line that contains only the name of a file, in backticks. */
const NAME = /^`([\w@.][\w@./-]*\.\w+|Dockerfile|\.[\w.-]+)`$/;
const SNIPPET = /<!-- snippet: (apps\/[^#\s]+)#\S+ -->/;

/** A plugin of markdown-it. */
export function fileNames(md) {
  md.core.ruler.after('block', 'file-names', ({ tokens }) => {
    for (const [index, fence] of tokens.entries()) {
      if (fence.type !== 'fence' || fence.meta?.tab) continue;
      const before = skipComments(tokens, index - 1);
      const name = nameIn(tokens, before.index) ?? titleOf(fence.info);
      if (name === undefined && before.source === undefined) continue;
      if (nameIn(tokens, before.index) !== undefined) hideParagraph(tokens, before.index);
      fence.meta = { ...fence.meta, file: name ?? before.source, source: before.source };
    }
  });
  const draw = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const { file, source } = tokens[index].meta ?? {};
    const block = draw(tokens, index, ...rest);
    if (file === undefined) return block;
    const name = md.utils.escapeHtml(file);
    const link = source === undefined ? '' : `<a href="${REPOSITORY}/blob/main/${source}">source</a>`;
    return `<div class="code-file"><div class="code-file-name"><span>${name}</span>${link}</div>${block}</div>`;
  };
}

/** Skips comments between the name and its block: the last token before them, and the example that a comment names. */
function skipComments(tokens, index) {
  const token = tokens[index];
  if (token?.type !== 'html_block' || !token.content.trimStart().startsWith('<!--')) return { index };
  return { index: skipComments(tokens, index - 1).index, source: SNIPPET.exec(token.content)?.[1] };
}

function nameIn(tokens, index) {
  const isParagraph = tokens[index]?.type === 'paragraph_close' && tokens[index - 1].type === 'inline';
  return isParagraph ? NAME.exec(tokens[index - 1].content)?.[1] : undefined;
}

/** The title in VitePress syntax: the text in brackets after the language. */
function titleOf(info) {
  const [, title] = /\[([^\]]+\.\w+)\]/.exec(info) ?? [];
  return title;
}

function hideParagraph(tokens, index) {
  for (const token of tokens.slice(index - 2, index + 1))
    Object.assign(token, { hidden: true, content: '', children: [] });
}
