/** The network of a view: the pages around it, and the answers of the test to what it loads. */
import type { BrowserContext, Request, Route } from 'playwright-core';
import { testingError } from '../errors';
import { contentSecurityPolicy, type ViewCsp } from '@sigil-mcp/client/wire';
import { HOST_ORIGIN, SANDBOX_ORIGIN, SANDBOX_PAGE, hostPage } from './pages';
import type { ViewProblems } from './view-problems';

/** The answer of a test to a request of a view. */
export interface NetworkAnswer {
  /** 200 if left out. */
  readonly status?: number;
  /** `application/json` if left out. */
  readonly contentType?: string;
  readonly body: string | Buffer;
}

/** Answers what a view loads from origins that it declares; undefined for what it should not load. */
export type AnswerNetwork = (request: { readonly url: string; readonly method: string }) => NetworkAnswer | undefined;

/** Where a view is shown. */
export interface ViewSurroundings {
  readonly csp: ViewCsp | undefined;
  readonly theme: 'light' | 'dark';
  readonly network: AnswerNetwork | undefined;
}

/** Answers all requests of a browser context; nothing leaves the machine. */
export async function serveNetwork(
  context: BrowserContext,
  around: ViewSurroundings,
  problems: ViewProblems,
): Promise<void> {
  await context.route('**/*', async (route, request) => {
    const url = new URL(request.url());
    const isPage = url.pathname === '/' && request.isNavigationRequest();
    if (url.origin === HOST_ORIGIN && isPage) return sendPage(route, hostPage(around.theme));
    if (url.origin === SANDBOX_ORIGIN && isPage && isSandbox(request))
      return sendPage(route, SANDBOX_PAGE, contentSecurityPolicy(around.csp));
    const answer =
      request.isNavigationRequest() && !isNested(request)
        ? undefined
        : around.network?.({ url: url.href, method: request.method() });
    if (answer) return sendAnswer(route, answer);
    problems.add(problemOf(request, url));
    await route.abort('blockedbyclient');
  });
}

function sendPage(route: Route, body: string, policy?: string): Promise<void> {
  const headers = policy === undefined ? {} : { 'Content-Security-Policy': policy };
  return route.fulfill({ contentType: 'text/html; charset=utf-8', headers, body });
}

/** Views have an origin that the servers they load from do not know: an answer allows all. */
function sendAnswer(
  route: Route,
  { status = 200, contentType = 'application/json', body }: NetworkAnswer,
): Promise<void> {
  return route.fulfill({ status, contentType, headers: { 'Access-Control-Allow-Origin': '*' }, body });
}

/** The first frame within the host. */
const isSandbox = (request: Request): boolean => request.frame().parentFrame()?.parentFrame() === null;

/** A frame within the view. */
const isNested = (request: Request): boolean => request.frame().parentFrame()?.parentFrame()?.parentFrame() !== null;

function problemOf(request: Request, url: URL): Error {
  const isOwn = url.origin === SANDBOX_ORIGIN || url.origin === HOST_ORIGIN;
  if (request.isNavigationRequest() && !isNested(request))
    return testingError('SIGIL_VIEW_LEFT', { url: isOwn ? url.pathname + url.search : url.href });
  if (isOwn) return testingError('SIGIL_VIEW_RELATIVE', { path: url.pathname });
  return testingError('SIGIL_VIEW_NETWORK', { url: url.href });
}
