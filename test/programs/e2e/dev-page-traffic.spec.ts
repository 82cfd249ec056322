/** The screens Traffic and Questions of the page of `sigil dev`, in a real browser, with real clients. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { connect } from '@sigil-mcp/client';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../../support/supplies/chromium';
import { describeWith } from '../../support/supplies/supply';
import { until } from '../../support/until';
import { SHELF } from './dev-page-servers';
import { CLI, DevProject } from './dev-project';
import { SharedDevs, type Dev } from './dev-page-program';
import { ReceivedEvents } from './received-events';

jest.setTimeout(180_000);

const FINDINGS = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`))';
const pictures = join(__dirname, '..', '..', '..', '.sigil', 'screenshots');

const SAFE = `import { createServer, Feature, McpContext, Sensitive, Tool, type Call, type Interceptor } from '@sigil-mcp/core';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';

class Card { @IsString() owner!: string; @Sensitive() @IsString() number!: string; }
class Payment { @Sensitive() @IsString() pin!: string; @IsOptional() @ValidateNested() @Type(() => Card) card?: Card; }
class Receipt { @IsInt() amount!: number; @Sensitive() @IsString() code!: string; }
class Name { @IsString() name!: string; }
class Trace implements Interceptor { intercept(_call: Call, next: () => Promise<unknown>) { return next(); } }

@Feature()
export class Bank {
  @Tool('Pays a book', { output: Receipt })
  pay({ pin }: Payment, context: McpContext): Receipt {
    context.log.info('Pays with ' + pin, { pin });
    if (pin === 'my-wrong-pin') throw new Error('The pin ' + pin + ' is wrong');
    return { amount: 5, code: 'receipt-' + pin.length + '-secret' };
  }
  @Tool('Orders a book')
  async order(context: McpContext): Promise<string> {
    context.log.info('Looks for the book');
    const number = await context.once('reserve', () => 7);
    const answer = await context.elicit(Name, 'Who orders?');
    return answer.action === 'accept' ? 'Order ' + number + ' of ' + answer.content.name : 'No order';
  }
}
export const server = createServer({ name: 'bank', version: '0.1.0', features: [Bank], interceptors: [Trace], providers: [Trace] });
`;

/** A question, and steps of a call, by which a server could try something against the page. */
const HOSTILE_QUESTION = `import { createServer, Describe, Feature, McpContext, Title, Tool } from '@sigil-mcp/core';
import { IsIn, IsOptional, IsString } from 'class-validator';

const BAD = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>" onmouseover="window.hacked=1" javascript:alert(1)';
class Answers { @Title(BAD) @Describe(BAD) @IsString() name!: string; @IsOptional() @IsIn([BAD, 'b']) choice?: string; }

@Feature()
export class Attacks {
  @Tool('Asks')
  async ask(context: McpContext): Promise<string> {
    await context.once(BAD, () => BAD);
    context.log.warning(BAD);
    const answer = await context.elicit(Answers, BAD);
    return answer.action === 'accept' ? BAD + answer.content.name : BAD;
  }
}
export const server = createServer({ name: 'asks', version: '1.0.0', features: [Attacks], logger: 'warn' });
`;

describeWith('chromium', 'the screens Traffic and Questions', () => {
  let browser: Browser;
  const ends: (() => Promise<unknown> | void)[] = [];
  const alarms: string[] = [];
  beforeAll(async () => {
    browser = await openChromium();
  });
  const devs = new SharedDevs();
  afterAll(async () => {
    await browser.close();
    await devs.end();
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    expect(alarms.splice(0)).toEqual([]);
  });

  async function open(url: string, width = 1440, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    ends.push(() => page.close());
    page.setDefaultTimeout(60_000);
    page.on('pageerror', ({ message }) => alarms.push(message));
    page.on('console', (line) => line.type() === 'error' && alarms.push(line.text()));
    page.on('dialog', (dialog) => {
      alarms.push(`dialog ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    await page.goto(url);
    return page;
  }

  /** A client in a session, which is asked and answers when it is told to. */
  async function inSession(dev: Dev, onElicit: (signal: AbortSignal) => Promise<object>): Promise<Client> {
    const client = new Client(
      { name: 'ada-client', version: '1' },
      { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', (_request, { mcpReq }) => onElicit(mcpReq.signal) as never);
    await client.connect(new StreamableHTTPClientTransport(new URL(dev.address)));
    ends.push(() => client.close());
    return client;
  }

  it('tells the stages of a call of a real client apart', async () => {
    const dev = await devs.get(SAFE);
    const page = await open(`${await dev.url()}/traffic`);
    const client = await inSession(dev, () => Promise.resolve({ action: 'decline' }));
    await page.waitForSelector('.line:has-text("initialize")');
    await client.callTool({ name: 'pay', arguments: { pin: 'my-secret-pin' } });
    await page.click('.line:has-text("tools/call pay")');
    await page.waitForSelector('.waterfall');
    const names = await page.locator('.waterfall th').allTextContents();
    for (const stage of ['interceptor Trace', 'validate', 'handler', 'output'])
      expect(names.map((name) => name.trim())).toContain(stage);
    expect(await page.textContent('.facts code')).toMatch(/interceptors \d+\.\d.* \| handler \d+\.\d/);
  });

  it('says what versions have changed that came while no page was open', async () => {
    const dev = await devs.get(SHELF);
    const changed = SHELF.replace("@Tool('Draws the cover')\n  cover", "@Tool('Draws a cover')\n  drawCover");
    await dev.nextVersion(() => dev.write(changed.replace('Breaks on purpose', 'Breaks')));
    const page = await open(`${await dev.url()}/traffic`);
    await page.waitForSelector('.mark:has-text("+drawCover"):has-text("-cover"):has-text("~boom (description)")');
  });

  it('receives no sensitive value, keeps them out of the saved file, and asks for them before a call is sent again', async () => {
    const dev = await devs.get(SAFE);
    const url = await dev.url();
    const events = new ReceivedEvents(url);
    ends.push(() => events.close());
    const page = await open(`${url}/traffic`);
    const client = await inSession(dev, () => Promise.resolve({ action: 'decline' }));
    const card = { owner: 'Ada', number: 'card-4242-number' };
    await client.callTool({ name: 'pay', arguments: { pin: 'my-secret-pin', card } });
    await client.callTool({ name: 'pay', arguments: { pin: 'my-wrong-pin' } });
    const SECRET = /my-secret-pin|my-wrong-pin|card-4242|receipt-\d/;
    await until(
      () =>
        /event: error/.test(events.text) &&
        events.messages.filter(({ text }) => text.includes('"tools/call"')).length === 2,
      30_000,
    );
    expect(events.text).not.toMatch(SECRET);
    expect(events.text).toContain('\\"owner\\":\\"Ada\\"');
    await page.click('.line:has-text("tools/call pay") >> nth=0');
    await page.click('role=tab[name="Wire"]');
    await page.waitForSelector('.wire:has-text("[sensitive]")');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('button:has-text("Save .jsonl")')]);
    const saved = await text(await download.createReadStream());
    expect(saved).toContain('[sensitive]');
    expect(saved).not.toMatch(SECRET);
    await page.click('role=tab[name="Edit and send again"]');
    await page.click('.again button.main');
    await page.waitForSelector('.problem:has-text("Type the hidden values.")');
    await page.fill('[data-hidden="arguments.pin"]', 'my-secret-pin');
    await page.fill('[data-hidden="arguments.card.number"]', 'card-4242-number');
    await page.click('.again button.main');
    await page.waitForSelector('text=As good as before');
    expect(await page.textContent('.again')).not.toMatch(/receipt-\d/);
    expect(events.text).not.toMatch(SECRET);
  });

  it('answers the question of a real client in its place, and the client is told to stop', async () => {
    const dev = await devs.get(SAFE);
    const page = await open(`${await dev.url()}/questions`);
    let isStopped = false;
    const client = await inSession(dev, (signal) => {
      signal.addEventListener('abort', () => (isStopped = true));
      return new Promise(() => undefined);
    });
    const called = client.callTool({ name: 'order', arguments: {} });
    await page.waitForSelector('.card:has-text("to ada-client, who may answer first")');
    await page.fill('#field-name', 'Bob');
    await page.click('button:has-text("Accept")');
    expect((await called).content).toMatchObject([{ text: 'Order 7 of Bob' }]);
    await until(() => isStopped);
    await page.waitForSelector('.card:has-text("1 round"):has-text("answered by this page")');
  });

  it('leaves the answer to the client if that answers first', async () => {
    const dev = await devs.get(SAFE);
    const page = await open(`${await dev.url()}/questions`);
    let answer = (_result: object): void => undefined;
    const client = await inSession(dev, () => new Promise((resolve) => (answer = resolve)));
    const called = client.callTool({ name: 'order', arguments: {} });
    await page.waitForSelector('#field-name');
    answer({ action: 'accept', content: { name: 'Ada' } });
    expect((await called).content).toMatchObject([{ text: 'Order 7 of Ada' }]);
    await page.waitForSelector('text=Nothing is asked');
  });

  it('answers a call of 2026-07-28 that asks, whose client then receives what came of it, and marks what ran twice', async () => {
    const dev = await devs.get(SAFE);
    const page = await open(`${await dev.url()}/questions`);
    let answer = (_result: { action: 'decline' }): void => undefined;
    const onElicit = (): Promise<never> => new Promise((resolve) => (answer = resolve as never));
    const client = await connect(
      { url: dev.address },
      { clientInfo: { name: 'eve-client', version: '1' }, revision: '2026-07-28', onElicit },
    );
    ends.push(() => client.close());
    const called = client.callTool('order', {});
    await page.waitForSelector('.card:has-text("to eve-client")');
    await page.fill('#field-name', 'Bob');
    await page.click('button:has-text("Accept")');
    await page.waitForSelector('.card:has-text("2 rounds"):has-text("answered by this page")');
    answer({ action: 'decline' });
    expect((await called).content).toMatchObject([{ text: 'Order 7 of Bob' }]);
    const rounds = page.locator('.rounds >> nth=0');
    await rounds.locator('text=was kept, and did not run again').waitFor();
    expect(await rounds.locator('.tag.twice').count()).toBeGreaterThan(0);
    await page.selectOption('select[aria-label="Forms"]', 'accept');
    await page.fill('textarea[aria-label="Values for Forms"]', '{ "name": "Rule" }');
    await page.check('tr:has-text("Forms") input[type="checkbox"]');
    const session = await inSession(dev, () => new Promise(() => undefined));
    expect((await session.callTool({ name: 'order', arguments: {} })).content).toMatchObject([
      { text: 'Order 7 of Rule' },
    ]);
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'show a hostile question, its rounds and its answer as text (%s)',
    async (revision) => {
      const dev = await devs.get(HOSTILE_QUESTION);
      const url = await dev.url();
      const page = await open(`${url}/questions`);
      const BAD = '<img src=x onerror="window.hacked=1">';
      let answer = (_result: { action: 'decline' }): void => undefined;
      const onElicit = (): Promise<never> => new Promise((resolve) => (answer = resolve as never));
      const client = await connect(
        { url: dev.address },
        {
          clientInfo: { name: BAD, version: BAD },
          revision,
          onElicit,
          timeout: 100_000,
        },
      );
      ends.push(() => client.close());
      const called = client.callTool('ask', {});
      await page.waitForSelector('#field-name');
      await page.fill('#field-name', BAD);
      await page.click('button:has-text("Accept") >> nth=0');
      await page.waitForSelector('.card:has-text("answered by this page")');
      await page.goto(`${url}/traffic`);
      await page.click('.line:has-text("tools/call ask") >> nth=0');
      for (const tab of ['Wire', 'Edit and send again']) await page.click(`role=tab[name="${tab}"]`);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      const markup =
        'main script, main iframe, main object, main [onerror], main [onmouseover], main a[href^="javascript"]';
      expect(await page.locator(markup).count()).toBe(0);
      answer({ action: 'decline' });
      await called;
    },
  );

  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('have no finding of axe at %i pixels, %s', async (width, scheme) => {
    const dev = await devs.get(SAFE);
    const url = await dev.url();
    const page = await open(`${url}/traffic`, width, scheme);
    const client = await inSession(dev, () => new Promise(() => undefined));
    await client.callTool({ name: 'pay', arguments: { pin: 'my-secret-pin', card: { owner: 'Ada', number: '4242' } } });
    const called = client.callTool({ name: 'order', arguments: {} });
    await page.goto(`${url}/questions`);
    await page.waitForSelector('#field-name');
    mkdirSync(pictures, { recursive: true });
    const findings: string[] = [];
    const look = async (name: string): Promise<void> => {
      await page.evaluate(axe.source);
      findings.push(...(await page.evaluate<string[]>(FINDINGS)).map((one) => `${name}: ${one}`));
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (overflow > 0) findings.push(`${name} is ${overflow} pixels too wide`);
      await page.screenshot({ path: join(pictures, `dev-page-${name}-${width}-${scheme}.png`), fullPage: true });
    };
    await page.selectOption('select[aria-label="Forms"]', 'accept');
    await look('asked');
    await page.fill('#field-name', 'Bob');
    await page.click('button:has-text("Accept") >> nth=0');
    await called;
    await page.waitForSelector('.card:has-text("answered by this page")');
    await look('rounds');
    await page.goto(`${url}/traffic`);
    await page.click('.line:has-text("tools/call pay")');
    await page.waitForSelector('.waterfall');
    await look('waterfall');
    await page.click('role=tab[name="Edit and send again"]');
    await page.waitForSelector('[data-hidden]');
    await look('again');
    expect(findings).toEqual([]);
  });

  it('has each of ten thousand messages of a real server exactly once, and shows a window of them', async () => {
    const project = new DevProject();
    writeFileSync(join(project.folder, 'src', 'server.ts'), SHELF);
    const dev = spawn(process.execPath, [CLI, 'dev'], { cwd: project.folder, stdio: ['pipe', 'pipe', 'pipe'] });
    let [stderr, stdout] = ['', ''];
    dev.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    dev.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    ends.push(async () => {
      dev.kill();
      if (dev.exitCode === null) await new Promise((resolve) => dev.once('exit', resolve));
      project.remove();
    });
    const send = (message: object): boolean => dev.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'flood', version: '1' };
    send({ id: 'open', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
    await until(() => stdout.includes('"open"') && /page: http\S+\n/.test(stderr), 60_000);
    send({ method: 'notifications/initialized' });
    const url = /page: (http\S+)/.exec(stderr)?.[1] ?? '';
    const page = await open(`${url}/traffic`);
    const events = new ReceivedEvents(url);
    ends.push(() => events.close());
    await page.waitForSelector('.line:has-text("initialize")');
    const CALLS = 5000;
    let answered = 0;
    dev.stdout.on('data', (text: string) => (answered += text.split('\n').length - 1));
    for (let id = 0; id < CALLS; id += 1) {
      send({ id, method: 'tools/call', params: { name: 'addBook', arguments: { title: `Book ${id}`, year: 1900 } } });
      // As many as a client of its kind would have open.
      if (id - answered > 100) await until(() => id - answered <= 50, 60_000);
    }
    await until(() => answered >= CALLS, 60_000);
    const numbers = (from: string): number[] =>
      events.messages
        .filter((one) => one.from === from)
        .map(({ text }) => (JSON.parse(text) as { id?: unknown }).id)
        .filter((id): id is number => typeof id === 'number');
    const sides = ['client', 'server'];
    await until(() => sides.every((from) => numbers(from).length >= CALLS), 60_000);
    const all = Array.from({ length: CALLS }, (_, id) => id);
    for (const from of sides) expect(numbers(from).sort((one, other) => one - other)).toEqual(all);
    expect(events.text).not.toMatch(/"lost":[1-9]/);
    await page.waitForSelector(`.line:has-text("tools/call addBook")`);
    await until(
      async () => (await page.evaluate<number>('document.querySelector(".window ol").offsetHeight')) > CALLS * 34,
      60_000,
    );
    expect(await page.locator('.window .row').count()).toBeLessThan(100);
  });
});
