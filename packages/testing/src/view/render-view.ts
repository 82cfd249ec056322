/** Shows the view of a tool in a real host, in a browser without windows. */
import type { Browser, BrowserContext, Page, BrowserType } from 'playwright-core';
import { OPTION_RULES, oneOf, requireOptions, wholeNumber, type OptionRule } from '@sigil-mcp/core/internal';
import type { JsonObject } from '@sigil-mcp/protocol';
import { ANSWERS_ALL, CONNECT_OPTIONS, connect, type ConnectOptions, type Target } from '../connect';
import type { TestClient } from '../client/test-client';
import { testingError } from '../errors';
import { noteOpened } from '../opened';
import { HOST_ORIGIN, hostScript, readViewSource, SANDBOX_ORIGIN, type ViewSource } from './view-source';
import { ShownView, within, type PageHost, type ViewParts } from './shown-view';
import { serveNetwork, ViewProblems, type AnswerNetwork } from './view-problems';
import { HostAnswers } from './view-requests';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type * as Playwright from 'playwright-core';

/** The names of the program on PATH. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];

const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** How a view is shown. The options of `connect` say who looks at it. */
export interface RenderOptions extends Omit<ConnectOptions, 'capabilities' | 'clientInfo'> {
  /** The look of the host; `light` if left out. */
  readonly theme?: 'light' | 'dark';
  /** The width that the view has, in pixels; 720 if left out. */
  readonly width?: number;
  /** The rest of the host context, such as `locale`, `timeZone`, `displayMode` and `styles`; `en-US`, `UTC` and `inline` if left out. */
  readonly context?: JsonObject;
  /** Arguments that the model has not finished writing; each is sent to the view before the complete ones. None if left out. */
  readonly partialArguments?: readonly JsonObject[];
  /** A recorded result: the tool is not called. The server is called if left out. */
  readonly result?: JsonObject;
  /** The reason for which the call is cancelled: the tool is not called, and the view gets no result. Not cancelled if left out. */
  readonly cancelled?: string;
  /** Answers what the view loads; everything that it loads is a failure if left out. */
  readonly network?: AnswerNetwork;
  /** Texts of the console and of exceptions that are no failure; none if left out. */
  readonly allowedErrors?: readonly (string | RegExp)[];
  /** Milliseconds that the view may take to connect, and to settle; 10,000 if left out. */
  readonly timeout?: number;
  /** A browser that is open, of `openChromium`, which saves the start; one is started and closed for this view if left out. */
  readonly browser?: Browser;
}

const { capabilities: _capabilities, clientInfo: _clientInfo, ...OF_USER } = CONNECT_OPTIONS;
/** Of `renderView`. */
const RENDER_OPTIONS: Readonly<Record<keyof RenderOptions, OptionRule | undefined>> = {
  ...OF_USER,
  theme: oneOf('light', 'dark'),
  width: wholeNumber(1),
  context: OPTION_RULES.object,
  partialArguments: OPTION_RULES.list,
  result: OPTION_RULES.object,
  cancelled: undefined,
  network: undefined,
  allowedErrors: OPTION_RULES.list,
  timeout: undefined,
  browser: OPTION_RULES.object,
};

const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } as const;
const HOST = { name: 'sigil-testing', version: '1.0.0' } as const;

/**
 * Calls a tool and shows its view as a host does: in a sandboxed frame of another origin, under the policy of the resource. Resolves when
 * the view has received the result and has settled. With the jest preset it is closed after the test; otherwise close it yourself.
 * @throws SigilError for what hosts do not allow, and for what a user would report: a violation of the policy, an error of the console, an
 * exception, a call of a tool that is not for views, a request that the test does not answer, a view that never connects
 * @example
 * const shown = await renderView(server, 'series', { city: 'Oslo' }, { theme: 'dark', width: 390 });
 * expect(await shown.text()).toContain('Oslo');
 * await shown.view.getByRole('button', { name: '30 days' }).click();
 * await shown.settled();
 * expect(shown.requests.calls).toMatchObject([{ tool: 'period', arguments: { days: 30 } }]);
 */
export async function renderView(
  target: Target,
  tool: string,
  args: JsonObject = {},
  options: RenderOptions = {},
): Promise<ShownView> {
  requireOptions('renderView', options, RENDER_OPTIONS);
  const client = await connect(target, connectOptions(options));
  let shown: ShownView | undefined;
  try {
    const source = await readViewSource(client, tool);
    const result = await resultOf(client, tool, args, options);
    shown = noteOpened(new ShownView(await openParts(client, source, options)));
    await open(shown, source, { options, args, result });
    return shown;
  } catch (error) {
    // The first error is more useful than those of the close.
    await (shown?.discard() ?? client.close()).catch(() => undefined);
    throw error;
  }
}

/** The host in the page. What is passed to `evaluate` runs there. */
declare function sigilViewHost(): PageHost;

interface RenderInput {
  readonly options: RenderOptions;
  readonly args: JsonObject;
  readonly result: JsonObject | undefined;
}

/** A host that shows views, for the user of the test. */
function connectOptions({ as, headers, revision, answers, override, printTraffic }: RenderOptions): ConnectOptions {
  const given = { as, headers, revision, answers, override, printTraffic };
  const capabilities = { ...(answers && ANSWERS_ALL), extensions: APPS };
  return { ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)), capabilities };
}

async function resultOf(
  client: TestClient,
  tool: string,
  args: JsonObject,
  { result, cancelled }: RenderOptions,
): Promise<JsonObject | undefined> {
  if (cancelled !== undefined) return undefined;
  return result ?? client.callTool(tool, args);
}

/** Opens a page for the view; if that fails, all that was opened before is closed. */
async function openParts(client: TestClient, source: ViewSource, options: RenderOptions): Promise<ViewParts> {
  const { theme = 'light', width = 720, network, timeout = TIMEOUT } = options;
  const problems = new ViewProblems(options.allowedErrors ?? []);
  const answers = new HostAnswers(client, source, problems);
  const browser = options.browser ?? (await openChromium());
  let context: BrowserContext | undefined;
  try {
    context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: theme,
      ignoreHTTPSErrors: true,
    });
    await serveNetwork(context, { csp: source.csp, theme, network }, problems);
    const page = await openHost(context, answers, problems);
    const own = options.browser ? undefined : browser;
    return { uri: source.uri, timeout, page, context, browser: own, client, answers, problems };
  } catch (error) {
    await context?.close().catch(() => undefined);
    if (!options.browser) await browser.close();
    throw error;
  }
}

async function openHost(context: BrowserContext, answers: HostAnswers, problems: ViewProblems): Promise<Page> {
  const page = await context.newPage();
  await page.exposeBinding('sigilView', ({ frame }, what: string, value: JsonObject) => {
    // Bindings are there in every frame; a view may not use it.
    if (frame !== page.mainFrame()) throw testingError('SIGIL_VIEW_STRAY', { text: 'sigilView()' });
    return answers.answer(what, value);
  });
  await problems.watch(page, await context.newCDPSession(page));
  await page.goto(`${HOST_ORIGIN}/`);
  await page.addScriptTag({ content: hostScript() });
  return page;
}

/** Loads the view, and sends the call to it. */
async function open(shown: ShownView, source: ViewSource, { options, args, result }: RenderInput): Promise<void> {
  const { partialArguments = [], cancelled, timeout = TIMEOUT } = options;
  const { page, problems } = shown.parts;
  const view: object = {
    sandboxUrl: `${SANDBOX_ORIGIN}/`,
    html: source.html,
    permissions: source.permissions,
    context: contextOf(source, options),
    host: HOST,
  };
  const opened = page.evaluate((given) => sigilViewHost().open(given), view);
  const isOpen = await within(timeout, opened, problems.first());
  if (!isOpen) {
    // What went wrong first has often more to say than the silence that follows it.
    await within(
      timeout,
      page.evaluate(() => sigilViewHost().settle()),
    );
    throw problems.take() ?? testingError('SIGIL_VIEW_SILENT', { uri: source.uri, timeout });
  }
  const call: object = { partialArguments, args, result, cancelled };
  await page.evaluate((given) => sigilViewHost().deliver(given), call);
  await shown.settled();
}

function contextOf({ tool }: ViewSource, { theme = 'light', width = 720, context }: RenderOptions): JsonObject {
  return {
    toolInfo: { tool },
    theme,
    displayMode: 'inline',
    availableDisplayModes: ['inline', 'fullscreen'],
    containerDimensions: { width },
    locale: 'en-US',
    timeZone: 'UTC',
    platform: 'web',
    ...context,
  };
}

/** Milliseconds. */
const TIMEOUT = 10_000;

/**
 * Starts a Chromium without windows, for several calls of `renderView`. Close it yourself: `browser.close()`.
 * @param path the program; `CHROME_PATH`, the one of playwright, or an installed Chromium, Chrome or Edge if left out
 * @throws SigilError `SIGIL_VIEW_NO_PLAYWRIGHT` or `SIGIL_VIEW_NO_CHROMIUM` if one of them is not installed
 */
export async function openChromium(path?: string): Promise<Browser> {
  const chromium = loadPlaywright();
  const executablePath = path ?? process.env['CHROME_PATH'] ?? findChromium(chromium);
  if (executablePath === undefined || !existsSync(executablePath))
    throw testingError('SIGIL_VIEW_NO_CHROMIUM', { path: executablePath ?? 'PATH' });
  return chromium.launch({ executablePath, args: ['--disable-dev-shm-usage'] });
}

function loadPlaywright(): BrowserType {
  for (const name of ['playwright-core', 'playwright']) {
    try {
      // An optional peer, loaded by the first view of a test; the library is slow to load.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
      return (require(name) as typeof Playwright).chromium;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw testingError('SIGIL_VIEW_NO_PLAYWRIGHT');
}

function findChromium(chromium: BrowserType): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const programs = folders.flatMap((folder) =>
    NAMES.flatMap((name) => [join(folder, name), join(folder, `${name}.exe`)]),
  );
  return [chromium.executablePath(), ...programs, ...PLACES].find((program) => existsSync(program));
}
