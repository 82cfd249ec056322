/** Calls that become tasks, on the page of `sigil dev` in a real browser: what they say, ask and return, and how they are cancelled. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../../support/supplies/chromium';
import { describeWith } from '../../support/supplies/supply';
import { DEV_WAYS, type Dev } from './dev-page-program';

jest.setTimeout(180_000);
const pictures = join(__dirname, '..', '..', '..', '.sigil', 'screenshots');
const FINDINGS = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} ${nodes[0].html}`))';

const REPORTS = `import { once } from 'node:events';
import { createServer, Feature, McpContext, Title, Tool } from '@sigil-mcp/core';
import { tasks } from '@sigil-mcp/tasks';
import { IsBoolean, IsInt } from 'class-validator';

class Year { @IsInt() year!: number; }
class Approval { @Title('Publish') @IsBoolean() publish!: boolean; }

@Feature()
export class Reports {
  @Tool('Writes the report of a year', { task: 'optional', asks: [Approval] })
  async writeReport({ year }: Year, context: McpContext): Promise<string> {
    await context.progress?.(1, 2, 'adds up the year');
    const answer = await context.elicit(Approval, \`Publish \${year}?\`);
    return answer.action === 'accept' ? \`Published \${year}.\` : 'Kept.';
  }
  @Tool('Waits until it is cancelled', { task: 'optional' })
  async wait(context: McpContext): Promise<string> {
    await once(context.signal, 'abort');
    return 'cancelled';
  }
}
export const server = createServer({ name: 'reports', version: '1.0.0', features: [Reports], extensions: [tasks()], logger: 'warn' });
`;

describeWith('chromium', 'the tasks of the page', () => {
  describe.each(Object.entries(DEV_WAYS))('over %s', (_, start) => tasksOf(start));
});

function tasksOf(start: (typeof DEV_WAYS)[string]): void {
  let browser: Browser;
  let dev: Dev;
  beforeAll(async () => {
    browser = await openChromium();
    dev = await start(REPORTS);
    await dev.sees(/version 1 ready/);
  });
  afterAll(async () => {
    await browser.close();
    await dev.end();
  });

  async function open(...path: string[]): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(60_000);
    await page.goto([await dev.url(), ...path].join('/'));
    return page;
  }

  it('shows the states of a task, its question and its result, also to a page that is opened later', async () => {
    const page = await open('home', 'tool', 'writeReport');
    await page.fill('#field-year', '2026');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.task .tag:has-text("input_required")');
    await page.waitForSelector('.task:has-text("It asks: Publish 2026?")');
    await page.click('.banner:has-text("Publish 2026?")');
    await page.check('#field-publish');
    await page.click('button:has-text("Accept")');
    const later = await open('home');
    await later.waitForSelector('.tasks .tag:has-text("completed")');
    await later.click('.tasks summary');
    expect(await later.textContent('.tasks')).toMatch(/writeReport.*input_required.*completed.*Published 2026\./s);
    await later.evaluate(axe.source);
    expect(await later.evaluate<string[]>(FINDINGS)).toEqual([]);
    mkdirSync(pictures, { recursive: true });
    await later.screenshot({ path: join(pictures, 'dev-page-tasks.png') });
    await later.close();
    await page.close();
  });

  it('cancels a task', async () => {
    const page = await open('home', 'tool', 'wait');
    await page.click('button:has-text("Run Ctrl Enter")');
    await page.waitForSelector('.task .tag:has-text("working")');
    await page.click('button:has-text("Cancel the task")');
    await page.waitForSelector('.card.bad:has-text("cancelled")');
    await page.goto(page.url().replace(/traffic.*|home.*/, 'traffic'));
    await page.waitForSelector('.line:has-text("tasks/cancel")');
    await page.close();
  });
}
