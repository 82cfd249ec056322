/** What goes wrong in a view: collected while it is shown, and thrown together. */
import type { BrowserContext, CDPSession, ConsoleMessage, Page, Request, Route } from 'playwright-core';
import { contentSecurityPolicy, memberFor, type ViewCsp } from '@sigil-mcp/client/internal';
import { testingError } from '../errors';
import { HOST_ORIGIN, hostPage, SANDBOX_ORIGIN, SANDBOX_PAGE } from './view-source';

/** The problems of one view. */
export class ViewProblems {
  #found: Error[] = [];
  /** What the console said about the policy. It repeats each violation that the browser reports, and has some more. */
  #policyTexts: string[] = [];
  readonly #blocked = new Set<string>();
  #wake: (() => void) | undefined;

  /** @param allowedErrors texts of the console and of exceptions that are no problem */
  constructor(private readonly allowedErrors: readonly (string | RegExp)[]) {}

  /** Listens to the browser. */
  async watch(page: Page, session: CDPSession): Promise<void> {
    page.on('console', (message) => this.#console(message));
    page.on('pageerror', (error) => this.#exception(error));
    page.on('crash', () => this.add(testingError('SIGIL_VIEW_CRASHED')));
    session.on('Audits.issueAdded', ({ issue }) => {
      const violation = issue.details.contentSecurityPolicyIssueDetails;
      if (violation && !violation.isReportOnly) this.#violation(violation);
    });
    await session.send('Audits.enable');
  }

  /** Adds a problem; the same one counts once. */
  add(error: Error): void {
    if (this.#found.some(({ message }) => message === error.message)) return;
    this.#found.push(error);
    this.#wake?.();
  }

  /** Resolves when there is a problem. */
  async first(): Promise<void> {
    if (this.#found.length > 0) return;
    await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  /** The problems since the last time, as one error. */
  take(): Error | undefined {
    for (const text of this.#policyTexts.splice(0)) this.#policyText(text);
    const found = this.#found;
    this.#found = [];
    if (found.length <= 1) return found[0];
    const list = found.map(({ message }) => `\n- ${message.replaceAll('\n', '\n  ')}`).join('');
    return testingError('SIGIL_VIEW_PROBLEMS', { count: found.length, list });
  }

  #console(message: ConsoleMessage): void {
    if (message.type() !== 'error') return;
    const text = message.text();
    // The transport of the official host says so of a message that the bridge reports, too.
    if (text.startsWith('Failed to parse message')) return;
    // The network reports what was not loaded, with its address.
    if (text.startsWith('Failed to load resource') || this.#isAllowed(text)) return;
    if (text.includes('Content Security Policy')) {
      this.#policyTexts.push(text);
      this.#wake?.();
    } else this.add(testingError('SIGIL_VIEW_CONSOLE', { text }));
  }

  #exception(error: Error): void {
    const text = error.stack?.split('\n').slice(0, 2).join('\n') ?? String(error);
    if (!this.#isAllowed(text)) this.add(testingError('SIGIL_VIEW_EXCEPTION', { text }));
  }

  #violation(details: {
    readonly blockedURL?: string;
    readonly violatedDirective: string;
    readonly contentSecurityPolicyViolationType: string;
  }): void {
    const { blockedURL, violatedDirective, contentSecurityPolicyViolationType: type } = details;
    const blocked =
      blockedURL ??
      (type === 'kEvalViolation' ? 'eval()' : type === 'kInlineViolation' ? 'an inline script or style' : type);
    this.#blocked.add(originOf(blocked));
    const advice =
      blockedURL && URL.canParse(blockedURL) ? adviceFor(new URL(blockedURL), violatedDirective) : EVAL_ADVICE;
    this.add(testingError('SIGIL_VIEW_CSP', { blocked, directive: violatedDirective, advice }));
  }

  /** The policy of the sandbox keeps a view from leaving its page; the browser reports it in the console alone. */
  #policyText(text: string): void {
    const framed = /^Framing '([^']+)'/.exec(text)?.[1];
    if (framed !== undefined && !this.#blocked.has(originOf(framed)))
      this.add(testingError('SIGIL_VIEW_LEFT', { url: framed.replace(SANDBOX_ORIGIN, '') }));
    else if (this.#blocked.size === 0) this.add(testingError('SIGIL_VIEW_CONSOLE', { text }));
  }

  #isAllowed(text: string): boolean {
    return this.allowedErrors.some((allowed) =>
      typeof allowed === 'string' ? text.includes(allowed) : allowed.test(text),
    );
  }
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

const EVAL_ADVICE =
  'Hosts allow inline scripts, and neither eval() nor scripts made of text: write the code into the page.';

function adviceFor({ origin, protocol }: URL, directive: string): string {
  if (!/^(https?|wss?):$/.test(protocol))
    return `Hosts need not allow ${protocol} addresses here: use an element of the page, or a data: image.`;
  const member = memberFor(directive);
  const other = member === 'resourceDomains' ? 'Write it into the page, or declare' : 'Declare';
  const leaving = member === 'frameDomains' ? ' If the view leaves its page for it, use view.openLink().' : '';
  return `${other} its origin where the view is defined: csp: { ${member}: ['${origin}'] }.${leaving}`;
}

// The network of a view: the pages around it, and the answers of the test to what it loads.

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
interface ViewSurroundings {
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
