/** The pages of the documentation that help with what is left to do. */

const ROOT = 'https://sigil-mcp.github.io/sigil';

const PAGES = {
  guide: '/how-to/from-mcp-nest',
  fromNestjsMcp: '/how-to/from-nestjs-mcp',
  nest: '/nest',
  servers: '/nest#several-servers-in-one-application',
  requestScope: '/nest#request-scope',
  guards: '/nest#guards-in-front-of-the-endpoint',
  authorization: '/authorization',
  asking: '/asking',
  registry: '/changes',
  schemas: '/schemas',
  zod: '/from-zod',
  errors: '/errors',
  http: '/http',
} as const;

/** A page. */
export type PageName = keyof typeof PAGES;

/** Its address. */
export function addressOf(page: PageName): string {
  return `${ROOT}${PAGES[page]}`;
}
