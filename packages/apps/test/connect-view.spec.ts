/** The page's side of a view without a browser: what it takes from a host, and what it does if the host does not answer. */
import { connectPage, type BridgeOptions } from '../src/view/connect-view';
import { ViewError, type PageWindow, type WindowMessage } from '../src/view/host-channel';

type Message = Readonly<Record<string, unknown>>;

/** A window with a parent that records messages and answers `ui/initialize`. */
class Page {
  readonly sent: Message[] = [];
  readonly errors: unknown[] = [];
  readonly #listeners = new Set<(message: WindowMessage) => void>();
  readonly parent = { postMessage: (message: unknown) => this.#posted(message as Message) };
  readonly attributes = new Map<string, string>();

  constructor(private readonly hostContext?: object) {}

  get window(): PageWindow {
    const element = () => ({
      id: '',
      textContent: null,
      style: {
        height: '',
        colorScheme: '',
        setProperty: (name: string, value: string) => void this.attributes.set(name, value),
      },
      setAttribute: (name: string, value: string) => void this.attributes.set(name, value),
      append: () => undefined,
      getBoundingClientRect: () => ({ height: 100 }),
    });
    return {
      parent: this.parent,
      innerWidth: 390,
      document: {
        title: 'Chart',
        documentElement: element(),
        head: element(),
        body: null,
        createElement: element,
        getElementById: () => null,
      },
      addEventListener: (_type, listener) => void this.#listeners.add(listener),
      removeEventListener: (_type, listener) => void this.#listeners.delete(listener),
      requestAnimationFrame: (draw) => draw(),
      reportError: (error) => void this.errors.push(error),
    };
  }

  /** A message of another window, or of the parent. */
  receive(data: unknown, { source }: { readonly source?: unknown } = { source: this.parent }): void {
    for (const listener of this.#listeners) listener({ source, data });
  }

  notify(method: string, params: Message): void {
    this.receive({ jsonrpc: '2.0', method: `ui/notifications/${method}`, params });
  }

  /** The id of the last request of this method. */
  idOf(method: string): unknown {
    return this.sent.findLast((message) => message['method'] === method)?.['id'];
  }

  #posted(message: Message): void {
    this.sent.push(message);
    if (message['method'] !== 'ui/initialize' || !this.hostContext) return;
    const hostInfo = { name: 'host', version: '2' };
    this.receive({
      jsonrpc: '2.0',
      id: message['id'],
      result: { hostInfo, hostCapabilities: {}, hostContext: this.hostContext },
    });
  }
}

interface Weather {
  series(input: { readonly city: string }): { readonly high: number };
}

function open(options: BridgeOptions = {}, hostContext: object | false = {}) {
  const page = new Page(hostContext || undefined);
  return { page, view: connectPage<Weather, 'series'>(page.window, options) };
}

it('introduces itself with the title of the page, and tells the host its size', async () => {
  const { page, view } = open(
    {},
    { theme: 'dark', styles: { variables: { '--color-text-primary': 'red', color: 'blue' } } },
  );
  expect(await view.ready).toEqual({
    name: 'host',
    version: '2',
    capabilities: {},
    context: expect.objectContaining({ theme: 'dark' }),
  });
  expect(page.sent).toMatchObject([
    {
      method: 'ui/initialize',
      params: { appInfo: { name: 'Chart', version: '1.0.0' }, protocolVersion: '2026-01-26' },
    },
    { method: 'ui/notifications/initialized' },
    { method: 'ui/notifications/size-changed', params: { width: 390, height: 100 } },
  ]);
  expect([...page.attributes]).toEqual([
    ['data-theme', 'dark'],
    ['--color-text-primary', 'red'],
  ]);
});

it('leaves the look and the size to a page that wants to do them itself', async () => {
  const { page, view } = open({ look: false, size: false }, { theme: 'dark' });
  await view.ready;
  expect([page.sent.map(({ method }) => method), [...page.attributes]]).toEqual([
    ['ui/initialize', 'ui/notifications/initialized'],
    [],
  ]);
});

it('takes messages from its host alone, and only those of JSON-RPC', async () => {
  const { page, view } = open();
  const seen: unknown[] = [];
  view.onArguments((args) => seen.push(args));
  await view.ready;
  const message = { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { city: 'Oslo' } } };
  for (const source of [{}, undefined, null]) page.receive(message, { source });
  for (const garbage of [undefined, null, 'text', 7, [], { method: message.method }, { ...message, jsonrpc: '1.0' }])
    page.receive(garbage);
  expect(seen).toEqual([]);
  page.receive(message);
  expect(seen).toEqual([{ city: 'Oslo' }]);
});

it.each([
  ['structured', 'it has that as data.'],
  ['structuredContent', 'it has that as data.'],
  ['content', 'it has that as text, or as result.content.'],
])('reports a page that reads %s of an answer, and says where that is', async (name, where) => {
  const { page, view } = open();
  await view.ready;
  // A page has no types that would say it.
  view.onResult((answer) => Reflect.get(answer, name));
  page.notify('tool-result', { content: [], structuredContent: { high: 3 } });
  expect(page.errors).toEqual([new ViewError(`An answer has no ${name}: ${where}`)]);
  page.notify('tool-result', { content: [], isError: true });
  expect(page.errors).toHaveLength(2);
  const answers: object[] = [];
  view.onResult((answer) => answers.push({ ...answer }));
  expect(answers).toEqual([{ isError: true, data: undefined, text: '', result: { content: [], isError: true } }]);
});

it('gives the last value to handlers that are added late, and nothing to those that were removed', async () => {
  const { page, view } = open();
  await view.ready;
  const early: unknown[] = [];
  const remove = view.onResult(({ data }) => early.push(data));
  page.notify('tool-result', { content: [], structuredContent: { high: 3 } });
  remove();
  page.notify('tool-result', { content: [{ type: 'text', text: 'No such city' }], isError: true });
  const late: unknown[] = [];
  view.onResult(({ isError, text, data }) => late.push([isError, text, data]));
  expect([early, late]).toEqual([[{ high: 3 }], [[true, 'No such city', undefined]]]);
});

it('reports what a handler throws, and runs the others', async () => {
  const { page, view } = open();
  const seen: string[] = [];
  const wrong = new Error('wrong');
  view.onCancelled(() => {
    throw wrong;
  });
  view.onCancelled((reason) => seen.push(reason));
  await view.ready;
  page.notify('tool-cancelled', {});
  expect([page.errors, seen]).toEqual([[wrong], ['']]);
});

it('merges changes of the context', async () => {
  const { page, view } = open({}, { theme: 'light', locale: 'en' });
  await view.ready;
  const seen: unknown[] = [];
  view.onContext((context) => seen.push(context));
  page.notify('host-context-changed', { theme: 'dark' });
  expect(seen).toEqual([
    { theme: 'light', locale: 'en' },
    { theme: 'dark', locale: 'en' },
  ]);
  expect(view.context).toEqual({ theme: 'dark', locale: 'en' });
});

it('sends a call when the host has accepted the view, and rejects it with the error of the host', async () => {
  const { page, view } = open();
  const called = view.call('series', { city: 'Oslo' });
  expect(page.idOf('tools/call')).toBeUndefined();
  await view.ready;
  page.receive({
    jsonrpc: '2.0',
    id: page.idOf('tools/call'),
    error: { code: -32000, message: 'Refused', data: { why: 1 } },
  });
  await expect(called).rejects.toMatchObject({ name: 'ViewError', message: 'Refused', code: -32000, data: { why: 1 } });
});

it('gives a call up when its signal fires, and tells the host', async () => {
  const { page, view } = open();
  await view.ready;
  const leaving = new AbortController();
  const called = view.call('series', { city: 'Oslo' }, { signal: leaving.signal });
  await Promise.resolve();
  const id = page.idOf('tools/call');
  leaving.abort(new Error('left'));
  await expect(called).rejects.toThrow('left');
  expect(page.sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
  page.receive({ jsonrpc: '2.0', id, result: {} }); // too late, and ignored
});

it('ends with an error if the host does not answer', async () => {
  const { view } = open({ timeout: 1 }, false);
  await expect(view.ready).rejects.toThrow('The host did not answer ui/initialize within 1 ms.');
});

it('waits for a host without a time limit', async () => {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const { view } = open({ timeout: Infinity }, false);
  expect(timers).toHaveBeenLastCalledWith(expect.any(Function), 2 ** 31 - 1);
  timers.mockRestore();
  view.close();
  await expect(view.ready).rejects.toThrow('The view is closed.');
});

it('ends with an error if no host shows the page', async () => {
  const page = new Page({});
  const window: { parent: unknown } = { ...page.window, parent: undefined };
  window.parent = window;
  await expect(connectPage(window as PageWindow, {}).ready).rejects.toThrow('No host shows this page');
});

it('rejects what is under way when it is closed, and everything after', async () => {
  const { page, view } = open();
  await view.ready;
  const called = view.call('series', { city: 'Oslo' });
  await Promise.resolve();
  view.close();
  await expect(called).rejects.toThrow('The view is closed.');
  await expect(view.openLink('https://example.com/')).rejects.toThrow('The view is closed.');
  page.notify('tool-input', {});
  expect(page.sent).toHaveLength(4);
});

it('answers a ping, ends its work before it is removed, and refuses what it does not have', async () => {
  const { page, view } = open();
  const steps: string[] = [];
  view.onTeardown(async () => {
    await Promise.resolve();
    steps.push('saved');
  });
  await view.ready;
  const answers = ['ping', 'ui/resource-teardown', 'sampling/createMessage'].map(async (method, id) => {
    page.receive({ jsonrpc: '2.0', id: `h${id}`, method });
  });
  await Promise.all(answers);
  while (page.sent.filter(({ id }) => String(id).startsWith('h')).length < 3) await Promise.resolve();
  expect(steps).toEqual(['saved']);
  expect(page.sent).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 'h0', result: {} },
      { jsonrpc: '2.0', id: 'h1', result: {} },
      { jsonrpc: '2.0', id: 'h2', error: { code: -32601, message: 'The view has no method sampling/createMessage.' } },
    ]),
  );
});

it('takes a refusal in a result for an error', async () => {
  const { page, view } = open();
  await view.ready;
  const asked = view.openLink('javascript:alert(1)');
  await Promise.resolve();
  page.receive({ jsonrpc: '2.0', id: page.idOf('ui/open-link'), result: { isError: true } });
  await expect(asked).rejects.toThrow('The host refused ui/open-link.');
});
