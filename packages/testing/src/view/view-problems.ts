/** What goes wrong in a view: collected while it is shown, and thrown together. */
import type { CDPSession, ConsoleMessage, Page } from 'playwright-core';
import { testingError } from '../errors';
import { memberFor } from '@sigil-mcp/client/wire';
import { SANDBOX_ORIGIN } from './pages';

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
