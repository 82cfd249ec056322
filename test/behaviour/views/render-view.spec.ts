/** Views in a real host: what they show, what they ask for, and each way in which they fail. */
import type { Browser } from 'playwright-core';
import { contents, createServer, resource, tool } from '@sigil-mcp/core';
import { openChromium, renderView, type RenderOptions, type ShownView } from '@sigil-mcp/testing/view';
import { describeWith } from '../../support/supplies/supply';
import { pageWith, scripted, viewServer, type ViewDefinition } from './view-server';

/** The window of the view. */
interface Styles {
  getComputedStyle(element: unknown): { readonly color: string };
}

describeWith('chromium', 'a view in a host', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  const opened: ShownView[] = [];
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close().catch(() => undefined);
    // A context cannot be printed.
    expect(browser.contexts().length).toBe(0);
  });

  const render = async (definition: ViewDefinition, options: RenderOptions = {}): Promise<ShownView> => {
    const shown = await renderView(
      viewServer(definition),
      'greet',
      { name: 'Ada' },
      { browser, timeout: 30_000, ...options },
    );
    opened.push(shown);
    return shown;
  };

  it('receives the arguments and the result of the call', async () => {
    const shown = await render(
      scripted(
        'view.onArguments(({ name }) => show(`for ${name}`));',
        'view.onResult(({ data, text, isError }) => show(`${data.greeting} / ${text} / ${isError}`));',
      ),
    );
    expect(await shown.text()).toBe('for Ada\n\nHello Ada / {"greeting":"Hello Ada"} / false');
    expect((await shown.picture()).subarray(1, 4).toString()).toBe('PNG');
  });

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('shows a server of revision %s', async (revision) => {
    const shown = await render(scripted('view.onResult(({ data }) => show(data.greeting));'), { revision });
    expect(await shown.text()).toBe('Hello Ada');
  });

  it('calls tools that are visible to apps, and shows their results', async () => {
    const shown = await render(
      scripted('view.onResult(async () => show((await view.call("again", { name: "Bob" })).data.greeting));'),
    );
    expect(await shown.text()).toBe('Hello Bob');
    expect(shown.requests.calls).toMatchObject([
      { tool: 'again', arguments: { name: 'Bob' }, result: { structuredContent: { greeting: 'Hello Bob' } } },
    ]);
  });

  it('asks the host: a link, a message, a context for the model, another way to be shown, a line in the log', async () => {
    const shown = await render(
      scripted(
        'view.ready.then(async (host) => {',
        '  await view.openLink("https://example.com/");',
        '  await view.sendMessage("Hi");',
        '  await view.updateModelContext({ text: "noted", data: { rows: 2 } });',
        '  show(`${host.name} ${await view.requestDisplayMode("fullscreen")} ${Object.keys(host.capabilities)}`);',
        '  view.log("info", { drawn: 2 });',
        '});',
      ),
    );
    expect(await shown.text()).toMatch(/^sigil-testing fullscreen openLinks,serverTools/);
    expect(shown.requests).toMatchObject({
      links: ['https://example.com/'],
      messages: ['Hi'],
      contexts: [{ content: [{ type: 'text', text: 'noted' }], structuredContent: { rows: 2 } }],
      displayModes: ['fullscreen'],
      logs: [{ level: 'info', data: { drawn: 2 } }],
    });
  });

  it('follows the theme of the host, and reports its size', async () => {
    const shown = await render(
      {
        body: `<style>p { margin: 0; height: 200px; color: rgb(1, 1, 1) } [data-theme="dark"] p { color: rgb(2, 2, 2) } body { margin: 0 }</style>
          <p>Text</p><script>connectView();</script>`,
      },
      { width: 390 },
    );
    const colour = () =>
      shown.view.locator('p').evaluate((p) => (globalThis as unknown as Styles).getComputedStyle(p).color);
    expect([await colour(), shown.size]).toEqual(['rgb(1, 1, 1)', { width: 390, height: 200 }]);
    await shown.change({ theme: 'dark' });
    expect(await colour()).toBe('rgb(2, 2, 2)');
    await shown.resize(300);
    expect(shown.size).toEqual({ width: 300, height: 200 });
  });

  it('shows partial arguments, a recorded result and a cancelled call', async () => {
    const parts = scripted(
      'view.onPartialArguments(({ name }) => show(`... ${name}`));',
      'view.onArguments(({ name }) => show(name));',
      'view.onResult(({ isError, text }) => show(`${isError} ${text}`));',
      'view.onCancelled((reason) => show(`cancelled: ${reason}`));',
    );
    const recorded = { content: [{ type: 'text', text: 'No such city' }], isError: true };
    const failed = await render(parts, { partialArguments: [{ name: 'A' }, { name: 'Ad' }], result: recorded });
    expect(await failed.text()).toBe('... A\n\n... Ad\n\nAda\n\ntrue No such city');
    const cancelled = await render(parts, { cancelled: 'by the user' });
    expect(await cancelled.text()).toBe('Ada\n\ncancelled: by the user');
  });

  it('lets a view end its work before it is removed', async () => {
    const shown = await render(scripted('view.onTeardown(async () => { await view.sendMessage("Bye"); });'));
    await shown.close();
    expect(shown.requests.messages).toEqual(['Bye']);
  });

  const failing = (definition: ViewDefinition, options?: RenderOptions): Promise<unknown> =>
    render(definition, options).then(
      () => 'was shown',
      (error: unknown) => error,
    );

  it.each<[title: string, code: string, message: RegExp, definition: ViewDefinition]>([
    [
      'an external script',
      'SIGIL_VIEW_CSP',
      /cdn\.example\/chart\.js.*\(script-src.*csp: \{ resourceDomains: \['https:\/\/cdn\.example'\] \}/s,
      { body: '<script src="https://cdn.example/chart.js"></script><script>connectView();</script>' },
    ],
    [
      'a request to an origin that is not declared',
      'SIGIL_VIEW_CSP',
      /api\.example.*connect-src.*connectDomains/s,
      scripted('fetch("https://api.example/data").catch(() => undefined);'),
    ],
    ['eval', 'SIGIL_VIEW_CSP', /eval\(\).*script-src/s, scripted('try { eval("1") } catch {}')],
    ['an error of the console', 'SIGIL_VIEW_CONSOLE', /console: no data/, scripted('console.error("no data");')],
    ['an exception', 'SIGIL_VIEW_EXCEPTION', /missing is not defined/, scripted('missing();')],
    [
      'a rejection that nothing handles',
      'SIGIL_VIEW_EXCEPTION',
      /went wrong/,
      scripted('Promise.reject(new Error("went wrong"));'),
    ],
    [
      'an exception of a handler',
      'SIGIL_VIEW_EXCEPTION',
      /in a handler/,
      scripted('view.onResult(() => { throw new Error("in a handler"); });'),
    ],
    [
      'a call of a tool for the model',
      'SIGIL_VIEW_HIDDEN_TOOL',
      /secret, which is visible to model only.*'app' to `visibleTo`/s,
      scripted('view.call("secret", {}).catch((error) => show(error.message));'),
    ],
    [
      'a call of a tool that does not exist',
      'SIGIL_VIEW_UNKNOWN_TOOL',
      /agian.*greet, again, secret, plain/s,
      scripted('view.call("agian", {}).catch((error) => show(error.message));'),
    ],
    [
      'a file next to the page',
      'SIGIL_VIEW_RELATIVE',
      /\/logo\.png.*into the page/s,
      { body: '<img src="logo.png" alt=""><script>connectView();</script>' },
    ],
    [
      'a declared origin without an answer of the test',
      'SIGIL_VIEW_NETWORK',
      /https:\/\/api\.example\/data.*`network`/s,
      {
        ...scripted('fetch("https://api.example/data").catch(() => undefined);'),
        csp: { connectDomains: ['https://api.example'] },
      },
    ],
    [
      'leaving the page',
      'SIGIL_VIEW_LEFT',
      /https:\/\/elsewhere\.example\/.*view\.openLink/s,
      scripted('view.onResult(() => { location.href = "https://elsewhere.example/"; });'),
    ],
    [
      'a form that is sent',
      'SIGIL_VIEW_LEFT',
      /preventDefault/,
      {
        body: '<form action="/save"><button>Save</button></form><script>connectView().onResult(() => document.forms[0].submit());</script>',
      },
    ],
    ['a message that is none', 'SIGIL_VIEW_STRAY', /"hello"/, scripted('parent.postMessage("hello", "*");')],
    [
      'a message with unknown members',
      'SIGIL_VIEW_STRAY',
      /one of the protocol/,
      scripted('parent.postMessage({ jsonrpc: "2.0", id: {}, method: 7 }, "*");'),
    ],
    [
      'a flood of messages',
      'SIGIL_VIEW_FLOOD',
      /1000 messages without a pause/,
      scripted('view.onResult(() => { for (let i = 0; i < 5000; i += 1) view.log("info", i); });'),
    ],
    [
      'reaching for the host',
      'SIGIL_VIEW_EXCEPTION',
      /Blocked a frame with origin/,
      scripted('parent.parent.document.title;'),
    ],
    [
      'moving the host to another page',
      'SIGIL_VIEW_PROBLEMS',
      /Unsafe attempt to initiate navigation/,
      scripted('top.location.href = "https://elsewhere.example/";'),
    ],
    ['a new window', 'SIGIL_VIEW_CONSOLE', /allow-popups/, scripted('open("https://elsewhere.example/");')],
  ])('fails for %s', async (_title, code, message, definition) => {
    expect(await failing(definition)).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it('fails for a page that crashes', async () => {
    const shown = await render(scripted());
    const session = await shown.page.context().newCDPSession(shown.page);
    session.send('Page.crash').catch(() => undefined);
    await expect(shown.settled()).rejects.toMatchObject({ code: 'SIGIL_VIEW_CRASHED' });
  });

  it('shows the result of a tool that asks, once the user has answered', async () => {
    const uri = 'ui://test/view';
    const mimeType = 'text/html;profile=mcp-app';
    const form = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
    const server = createServer({
      name: 'asking',
      version: '1.0.0',
      logger: false,
      features: [
        tool('ask', { description: 'Asks', meta: { ui: { resourceUri: uri } } }, async (_input, context) => {
          const answer = await context.elicit(form, 'Who are you?');
          return { greeting: answer.action === 'accept' ? answer.content.name : 'nobody' };
        }),
        resource(uri, { name: 'View', mimeType }, () =>
          contents({ data: pageWith(scripted('view.onResult(({ data }) => show(data.greeting));').body), mimeType }),
        ),
      ],
    });
    const answers = () => ({ action: 'accept', content: { name: 'Ada' } });
    const shown = await renderView(server, 'ask', {}, { browser, answers });
    opened.push(shown);
    expect(await shown.text()).toBe('Ada');
    const unanswered = renderView(server, 'ask', {}, { browser });
    await expect(unanswered).rejects.toThrow(/elicitation\/create/);
  });

  it('says all that is wrong at once', async () => {
    const error = await failing(scripted('console.error("first");', 'console.error("second");'));
    expect(error).toMatchObject({ code: 'SIGIL_VIEW_PROBLEMS', message: expect.stringMatching(/first[^]*second/) });
  });

  it('fails for a view that never connects', async () => {
    const error = await failing({ body: '<p>Still here</p>' }, { timeout: 500 });
    expect(error).toMatchObject({
      code: 'SIGIL_VIEW_SILENT',
      message: expect.stringMatching(/ui:\/\/test\/view did not connect within 500 ms[^]*connectView\(\)/),
    });
  });

  it('fails for a view whose script never pauses', async () => {
    const server = viewServer(scripted('view.onResult(() => { for (;;); });'));
    const shown = renderView(server, 'greet', {}, { timeout: 3000 });
    await expect(shown).rejects.toMatchObject({ code: 'SIGIL_VIEW_BUSY' });
  });

  it('fails for tools without a view, and for resources that hosts do not show', async () => {
    const server = viewServer(scripted());
    const reasons = [
      renderView(server, 'gret', {}, { browser }),
      renderView(server, 'plain', {}, { browser }),
      renderView(viewServer({ ...scripted(), mimeType: 'text/html' }), 'greet', {}, { browser }),
    ].map((each) => each.catch((error: unknown) => error));
    expect(await Promise.all(reasons)).toMatchObject([
      { code: 'SIGIL_VIEW_NO_TOOL' },
      { code: 'SIGIL_VIEW_NO_VIEW' },
      { code: 'SIGIL_VIEW_RESOURCE', message: expect.stringMatching(/its type is text\/html/) },
    ]);
  });

  it('reports what goes wrong after the view was shown', async () => {
    const shown = await render({
      body: '<button onclick="view.call(\'secret\', {}).catch(() => undefined)">Ask</button><script>const view = connectView();</script>',
    });
    await shown.view.getByRole('button').click();
    await expect(shown.settled()).rejects.toMatchObject({ code: 'SIGIL_VIEW_HIDDEN_TOOL' });
    await shown.view.locator('body').evaluate(() => console.error('too late'));
    await expect(shown.close()).rejects.toMatchObject({ code: 'SIGIL_VIEW_CONSOLE' });
  });

  it('answers what a view loads from the origins that it declares', async () => {
    const shown = await render(
      {
        ...scripted('fetch("https://api.example/data").then(async (answer) => show((await answer.json()).city));'),
        csp: { connectDomains: ['https://api.example'] },
      },
      { network: ({ url }) => (url === 'https://api.example/data' ? { body: '{"city":"Oslo"}' } : undefined) },
    );
    await shown.view.getByText('Oslo').waitFor();
  });

  it('allows errors that a test expects', async () => {
    const shown = await render(scripted('console.error("offline: code 7");'), { allowedErrors: [/^offline/] });
    await shown.close();
  });

  it('shows markup in arguments as text', async () => {
    const server = viewServer(scripted('view.onArguments(({ name }) => show(name));'));
    const name = '<img src=x onerror="console.error(1)">';
    const shown = await renderView(server, 'greet', { name }, { browser });
    opened.push(shown);
    expect(await shown.text()).toBe(name);
  });

  it('leaves out entries of the policy that would add another directive', async () => {
    const csp = { connectDomains: ['https://a.example; script-src *', "https://b.example 'unsafe-eval'"] };
    const error = await failing({ ...scripted('fetch("https://a.example/").catch(() => undefined);'), csp });
    expect(error).toMatchObject({ code: 'SIGIL_VIEW_CSP' });
  });
});
