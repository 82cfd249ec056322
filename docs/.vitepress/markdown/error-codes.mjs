/** A plugin of markdown-it: links error codes to their places on the pages of errors. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, slugOf } from '../links.mjs';
import { base } from '../site.mjs';

const CODE = /^SIGIL_[A-Z0-9_]+$/;

/** The plugin; without pages of errors, codes are not linked. */
export function errorCodes(md) {
  const addresses = readAddresses();
  md.core.ruler.push('error-codes', ({ tokens, Token }) => {
    for (const { children } of tokens) {
      if (children?.some(({ type, content }) => type === 'code_inline' && CODE.test(content)))
        linkCodes(children, { Token, addresses });
    }
  });
}

function linkCodes(children, { Token, addresses }) {
  let depth = 0;
  for (const [index, token] of [...children.entries()].reverse()) {
    depth += token.type === 'link_close' ? 1 : token.type === 'link_open' ? -1 : 0;
    const address = token.type === 'code_inline' ? addresses.get(token.content) : undefined;
    if (depth > 0 || address === undefined) continue;
    const open = new Token('link_open', 'a', 1);
    open.attrs = [['href', `${base}${address}`]];
    children.splice(index, 1, open, token, new Token('link_close', 'a', -1));
  }
}

/** Code -> address, of all codes with a heading. */
function readAddresses() {
  const folder = join(root, 'docs', 'errors');
  const pages = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(
    pages.flatMap((page) =>
      [...readFileSync(join(folder, page), 'utf8').matchAll(/^## (SIGIL_\w+)$/gm)].map(([, code]) => [
        code,
        `errors/${page.replace(/\.md$/, '')}#${slugOf(code)}`,
      ]),
    ),
  );
}
