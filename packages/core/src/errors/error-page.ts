/** The page of each error on the documentation site, at a short address. */
import type { ErrorCode } from './catalogue';

/** Where the pages are; the code follows. */
export const ERROR_PAGES = 'https://sigil-mcp.github.io/sigil/e/';

/** The address of the page of an error: what it means, how to fix it, and code that causes it. */
export function errorPage(code: ErrorCode): string {
  return `${ERROR_PAGES}${code}`;
}
