/** A package that a project is moved from, as a table of its names: everything else is the same for all of them. */

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

/** The name of a type or value here. */
export type Counterpart = readonly [module: string, name: string];
/** What is left to do by hand for a name, and the page that helps. */
export type LeftToDo = readonly [reason: string, page: PageName];

/** A package. */
export interface Source {
  /** As the command calls it. */
  readonly name: string;
  readonly package: string;
  /** In sentences. */
  readonly title: string;
  readonly guide: PageName;
  /** What users have to know of the whole migration; nothing if left out. */
  readonly remark?: string;
  /** Packages that only it needed: they go if nothing imports them. */
  readonly companions: readonly string[];
  /** Types with a counterpart. */
  readonly types: Readonly<Record<string, Counterpart>>;
  /** Classes that are used as values and have a counterpart; none if left out. */
  readonly values?: Readonly<Record<string, Counterpart>>;
  /** Names without a counterpart of the same shape. */
  readonly left: Readonly<Record<string, LeftToDo>>;
  /** Names that go on coming from it; none if left out. */
  readonly kept?: readonly string[];
  /** The names of options of decorators, before and after. */
  readonly entryOptions: readonly (readonly [before: string, after: string])[];
  /** The members of a context that the command knows how to move, or `'unknown'`. */
  readonly context: 'known' | 'unknown';
  /** Whether the message of any error reached the model: never, or unless a project is one of version 2. */
  readonly tellsErrors: 'version 1' | 'never';
  /** Whether a program connects strategies, and serves every transport that it does not name. */
  readonly hasTransports: boolean;
}

/** Its address. */
export function addressOf(page: PageName): string {
  return `${ROOT}${PAGES[page]}`;
}
