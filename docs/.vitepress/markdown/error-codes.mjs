/** A plugin of markdown-it: links error codes to their pages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../links.mjs';
import { base } from '../site.mjs';

const CODE = /^SIGIL_[A-Z0-9_]+$/;

/** The plugin; without pages of errors, codes are not linked. */
export function errorCodes(md) {
  md.core.ruler.push('error-codes', ({ tokens, env, Token }) => {
    for (const { children } of tokens) {
      if (children?.some(({ type, content }) => type === 'code_inline' && CODE.test(content)))
        linkCodes(children, env, Token);
    }
  });
}

function linkCodes(children, { relativePath }, Token) {
  let depth = 0;
  for (const [index, token] of [...children.entries()].reverse()) {
    depth += token.type === 'link_close' ? 1 : token.type === 'link_open' ? -1 : 0;
    const page = `e/${token.content}.md`;
    if (depth > 0 || token.type !== 'code_inline' || !CODE.test(token.content) || page === relativePath) continue;
    if (!existsSync(join(root, 'docs', page))) continue;
    const open = new Token('link_open', 'a', 1);
    open.attrs = [['href', `${base}e/${token.content}`]];
    children.splice(index, 1, open, token, new Token('link_close', 'a', -1));
  }
}
