/** What `docs/apps.md` says and shows of the page of a view. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { inlineBridge } from '@sigil-mcp/apps';
import { connectView } from '@sigil-mcp/apps/view';
import { contents, createServer, resource, tool } from '@sigil-mcp/core';
import { openChromium, renderView } from '@sigil-mcp/testing/view';
import { describeWith } from '../../support/supplies/supply';

interface WeatherFeature {
  week(input: { readonly city: string }): { readonly highs: readonly number[] };
  nextWeek(input: { readonly city: string }): { readonly highs: readonly number[] };
}

const uri = 'ui://weather/week';
const mimeType = 'text/html;profile=mcp-app';
const input = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const;
const page = readFileSync(join(__dirname, 'view-page', 'week.html'), 'utf8').replace(/<!-- #\w+ page -->\n/g, '');

const server = createServer({
  name: 'weather',
  version: '1.0.0',
  logger: false,
  features: [
    tool('week', { description: 'This week', input, meta: { ui: { resourceUri: uri } } }, () => ({
      highs: [12, 14, 9],
    })),
    tool(
      'nextWeek',
      { description: 'Next week', input, meta: { ui: { resourceUri: uri, visibility: ['app'] } } },
      () => ({ highs: [10, 11, 13] }),
    ),
    resource(uri, { name: 'Week', mimeType }, () => contents({ data: inlineBridge(page), mimeType })),
  ],
});

describeWith('chromium', 'the page of the guide', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  // #region test
  it('shows the next week', async () => {
    const shown = await renderView(server, 'week', { city: 'Oslo' }, { browser, theme: 'dark', width: 390 });
    expect(await shown.text()).toContain('12 °C, 14 °C, 9 °C');
    await shown.view.getByRole('button', { name: 'Next week' }).click();
    await shown.settled();
    expect(await shown.text()).toContain('10 °C, 11 °C, 13 °C');
    expect(shown.requests.calls).toMatchObject([{ tool: 'nextWeek', arguments: { city: 'Oslo' } }]);
    await shown.close();
  });
  // #endregion test
});

it('has types when it is bundled', () => {
  const draw = (highs: readonly number[], more: readonly number[]): number => highs.length + more.length;
  const showProblem = (text: string): void => void text;
  const script = (): void => {
    // #region typed
    const view = connectView<WeatherFeature, 'week'>();
    view.onResult(async (answer) => {
      if (answer.isError) return showProblem(answer.text);
      const next = await view.call('nextWeek', { city: 'Oslo' });
      if (!next.isError) draw(answer.data.highs, next.data.highs);
    });
    // #endregion typed
  };
  expect(script).toBeInstanceOf(Function);
});
