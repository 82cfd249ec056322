/** A view that is shown in a browser, for a test to look at and to use. */
import type { Browser, BrowserContext, FrameLocator, Page } from 'playwright-core';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { TestClient } from '../client/test-client';
import { testingError } from '../errors';
import type { HostAnswers, ViewRequests } from './view-requests';
import type { ViewProblems } from './view-problems';

/** The parts of the host that the test drives, in its page. */
export interface PageHost {
  open(options: object): Promise<void>;
  deliver(call: object): Promise<void>;
  settle(): Promise<void>;
  change(context: object): void;
  end(): Promise<void>;
}

/** What a shown view consists of. */
export interface ViewParts {
  readonly uri: string;
  readonly timeout: number;
  readonly page: Page;
  readonly context: BrowserContext;
  /** The browser, if it was started for this view. */
  readonly browser: Browser | undefined;
  readonly client: TestClient;
  readonly answers: HostAnswers;
  readonly problems: ViewProblems;
}

/** A view in its host. */
export class ShownView {
  #closed: Promise<void> | undefined;

  /** @internal */
  constructor(readonly parts: ViewParts) {}

  /** The page of the host, with the view in a frame. */
  get page(): Page {
    return this.parts.page;
  }

  /**
   * The view, to find elements in it.
   * @example await shown.view.getByRole('button', { name: '30 days' }).click();
   */
  get view(): FrameLocator {
    return this.page.frameLocator('iframe').frameLocator('iframe');
  }

  /** What the view asked of its host: calls, messages, links. */
  get requests(): ViewRequests {
    return this.parts.answers.requests;
  }

  /** The size that the view reported, in pixels; undefined if it reported none. */
  get size(): { readonly width?: number; readonly height?: number } | undefined {
    return this.parts.answers.size;
  }

  /** The text that the view shows. */
  text(): Promise<string> {
    return this.view.locator('body').innerText();
  }

  /** The picture of the view, as PNG. */
  async picture(): Promise<Buffer> {
    return this.page.locator('iframe').screenshot({ animations: 'disabled' });
  }

  /**
   * Waits until the view has finished what it does: no request is under way, and it sent nothing for two frames.
   * @throws SigilError what went wrong since the last time: a violation of the policy, an error, a call that the view may not make
   */
  async settled(): Promise<void> {
    const { problems, timeout, uri, answers } = this.parts;
    const isSettled = await this.#settle().catch((error: unknown) => {
      throw problems.take() ?? error;
    });
    const problem = problems.take();
    if (problem) throw problem;
    const requests = answers.calls.filter(
      ({ result, refused }) => result === undefined && refused === undefined,
    ).length;
    if (!isSettled) throw testingError('SIGIL_VIEW_BUSY', { uri, timeout, requests });
  }

  /**
   * Changes the surroundings of the view, and waits until it has settled.
   * @param context what changes: the theme, the language, the size of the container
   * @example await shown.change({ theme: 'dark' });
   */
  async change(context: JsonObject): Promise<void> {
    await this.page.evaluate((changed) => sigilViewHost().change(changed), context as object);
    await this.settled();
  }

  /** Changes the width of the host, pixels, and waits until the view has settled. */
  async resize(width: number): Promise<void> {
    await this.page.setViewportSize({ width, height: this.page.viewportSize()?.height ?? 800 });
    await this.settled();
  }

  /**
   * Removes the view, as a host does, and closes all that was opened for it. A second time it waits for the first.
   * @throws SigilError what went wrong since the last check
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /** Closes all, and asks nothing of the view, which has failed. @internal */
  discard(): Promise<void> {
    return (this.#closed ??= this.#release());
  }

  async #settle(): Promise<boolean> {
    const { page, problems, timeout } = this.parts;
    const settle = (): Promise<unknown> => page.evaluate(() => sigilViewHost().settle());
    const isSettled = await within(timeout, settle(), problems.first());
    // Problems arrive through the browser, later than the view sees them.
    if (isSettled) await within(timeout, settle());
    return isSettled;
  }

  async #close(): Promise<void> {
    const { page, problems, timeout } = this.parts;
    const ended = page.evaluate(() => sigilViewHost().end()).catch(() => undefined);
    // The view may be gone, or may never answer: the rest is closed anyway.
    await within(Math.min(timeout, TEARDOWN), ended);
    await this.#release();
    const problem = problems.take();
    if (problem) throw problem;
  }

  async #release(): Promise<void> {
    const { context, browser, client } = this.parts;
    const closed = context.close().catch(() => undefined);
    await Promise.all([within(TEARDOWN, closed), client.close().catch(() => undefined)]);
    await browser?.close();
  }
}

/** Milliseconds that a view may take to end. */
const TEARDOWN = 3000;

/** The host in the page. What is passed to `evaluate` runs there. */
declare function sigilViewHost(): PageHost;

/** Whether a promise is fulfilled before another one, and in time. What it rejects with is thrown. */
export async function within(timeout: number, awaited: Promise<unknown>, before?: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(resolve, timeout, false)));
  try {
    return await Promise.race([awaited.then(() => true), late, ...(before ? [before.then(() => false)] : [])]);
  } finally {
    clearTimeout(timer);
    awaited.catch(() => undefined);
  }
}
