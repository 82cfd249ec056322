/** The page of each error on the documentation site, at a short address. */

/** Where the pages are; the code follows. */
export const ERROR_PAGES = 'https://sigil-mcp.github.io/sigil/e/';

/** The address of the page of an error: what it means, how to fix it, and code that causes it. Undefined for the errors of other projects. */
export function errorPage(code: string): string | undefined {
  return code.startsWith('SIGIL_') ? `${ERROR_PAGES}${code}` : undefined;
}
