/** The chart as users see it, in a real host, and the text that all others get. */
import './matchers';
import './quiet';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { connect, eachRevision } from '@sigil-mcp/testing';
import { openChromium, renderView, type RenderOptions, type ShownView } from '@sigil-mcp/testing/view';
import { describeWith } from '../../../test/support/supplies/supply';
import { until } from '../../../test/support/until';
import { chartsServer } from '../src/server';

eachRevision('answers with text for hosts without views', async ({ connect }) => {
  const client = await connect(chartsServer());
  const text = await client.callTool('climate', { city: 'oslo' });
  expect(text).toHaveText(/^Oslo is warmest in July, up to 23 °C.*\n\nJanuary: −5 °C to 0 °C, 58 mm\n/);
  expect(await client.callTool('climate', { city: 'Atlantis' })).toBeToolError(/Known cities: Auckland, /);
});

it('has weeks of a quarter for the view alone', async () => {
  const client = await connect(chartsServer());
  await expect(client).toListTool('climate', { _meta: { ui: { resourceUri: 'ui://charts/climate' } } });
  await expect(client).toListTool('climatePeriod', { _meta: { ui: { visibility: ['app'] } } });
  const { structuredContent } = await client.callTool('climatePeriod', { city: 'Bogota', period: 'oct-dec' });
  const { points } = structuredContent as { readonly points: readonly { readonly name: string }[] };
  expect([points.length, points[0]?.name, points[12]?.name]).toEqual([13, '1 October', '24 December']);
  await client.close();
});

describeWith('chromium', 'the chart', () => {
  const pictures = join(__dirname, '..', '..', '..', '.sigil', 'screenshots');
  // #region browser
  let browser: Browser;
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser.close());
  // #endregion browser

  const opened: ShownView[] = [];
  beforeAll(() => void mkdirSync(pictures, { recursive: true }));
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });

  const show = async (city: string, options: RenderOptions = {}): Promise<ShownView> => {
    const shown = await renderView(chartsServer(), 'climate', { city }, { browser, timeout: 30_000, ...options });
    opened.push(shown);
    return shown;
  };
  const save = async (name: string, shown: ShownView): Promise<void> =>
    writeFileSync(join(pictures, `chart-${name}.png`), await shown.picture());

  it.each(
    [390, 1440].flatMap((width) => [
      { width, theme: 'light' as const },
      { width, theme: 'dark' as const },
    ]),
  )('shows the year, and fits $width pixels in the $theme look', async ({ width, theme }) => {
    const shown = await show('Oslo', { width, theme });
    expect(await shown.text()).toMatch(/^Oslo Norway[^]*Oslo is warmest in July/);
    expect(shown.size?.width).toBe(width);
    const overflow = await shown.view.locator('html').evaluate((page) => page.scrollWidth - page.clientWidth);
    expect(overflow).toBe(0);
    await save(`${width}-${theme}`, shown);
  });

  // #region render
  it('loads another period', async () => {
    const shown = await renderView(
      chartsServer(),
      'climate',
      { city: 'Bangkok' },
      { browser, theme: 'dark', width: 390 },
    );
    await shown.view.getByText('Jul–Sep').click();
    await shown.settled();
    expect(await shown.text()).toContain('wettest in the week of 16 September');
    const { calls } = shown.requests;
    expect(calls).toMatchObject([{ tool: 'climatePeriod', arguments: { city: 'Bangkok', period: 'jul-sep' } }]);
    writeFileSync(join(pictures, 'chart-quarter.png'), await shown.picture());
    await shown.close();
  });
  // #endregion render

  it('tells the model what the user looks at', async () => {
    const shown = await show('Bangkok');
    await shown.view.getByText('Oct–Dec').click();
    await shown.settled();
    const text = expect.stringMatching(/^The user looks at Oct–Dec of Bangkok\./);
    expect(shown.requests.contexts).toMatchObject([{ content: [{ text }] }]);
  });

  it('is used with a keyboard, and read aloud', async () => {
    const shown = await show('Reykjavík');
    const slider = shown.view.getByRole('slider', { name: 'Chart of Reykjavík: choose a month' });
    await shown.view.getByRole('radio', { name: 'Year' }).focus();
    await shown.page.keyboard.press('Tab');
    await shown.page.keyboard.press('End');
    await shown.page.keyboard.press('ArrowLeft');
    expect(await slider.getAttribute('aria-valuetext')).toBe('November: from 0 to 5 °C, 83 mm of rain');
    expect(await shown.text()).toContain('High 5 °C');
    await save('keyboard', shown);
    await shown.page.keyboard.press('Tab');
    await shown.page.keyboard.press('Enter');
    await shown.settled();
    expect(await shown.view.getByRole('row', { name: 'November 0 5 83' }).isVisible()).toBe(true);
    await save('table', shown);
    await shown.page.keyboard.press('Shift+Tab');
    await shown.page.keyboard.press('Shift+Tab');
    await shown.page.keyboard.press('ArrowRight');
    await shown.settled();
    expect(await shown.text()).toContain('Jan–Mar');
    expect(shown.requests.calls).toMatchObject([{ arguments: { period: 'jan-mar' } }]);
  });

  it('has no fault while its host hides it, and is drawn again when it is shown', async () => {
    const shown = await show('Reykjavík');
    const body = shown.view.locator('body');
    const widthOf = (): Promise<number> =>
      shown.view.locator('rect.cursor').evaluate((rect) => Number(rect.getAttribute('width')));
    const width = await widthOf();
    await body.evaluate((element) => element.style.setProperty('display', 'none'));
    await until(async () => (await widthOf()) !== width);
    expect(await widthOf()).toBeGreaterThan(0);
    await body.evaluate((element) => element.style.removeProperty('display'));
    await until(async () => (await widthOf()) === width);
    await shown.settled();
  });

  it('has no fault that axe finds, in both looks', async () => {
    const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
    for (const theme of ['light', 'dark'] as const) {
      const shown = await show('Oslo', { theme });
      await shown.view.getByText('Show as a table').click();
      // In the frame of the view, whose policy does not bind the test.
      const frame = shown.page.frames().at(-1)!;
      await frame.evaluate(axe);
      const faults = await frame.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, help }) => [id, help]))',
      );
      expect(faults).toEqual([]);
    }
  });

  it('follows the host: another theme, another width, another language', async () => {
    const shown = await show('Oslo', { width: 1440 });
    await shown.resize(390);
    await shown.change({ theme: 'dark', locale: 'de-DE' });
    expect(await shown.view.locator('html').evaluate((page) => page.scrollWidth)).toBe(390);
    expect(await shown.view.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  it('shows what it waits for, what went wrong, and that the call was cancelled', async () => {
    const unknown = await show('Atlantis');
    expect(await unknown.text()).toContain('There is no climate of "Atlantis".');
    const cancelled = await show('Oslo', { cancelled: 'by the user' });
    expect(await cancelled.text()).toBe('The call was cancelled.');
    await save('cancelled', cancelled);
  });

  it('keeps the last period if the next one cannot be loaded', async () => {
    const result = {
      content: [],
      structuredContent: { city: 'Atlantis', country: '<b>Nowhere</b>', period: 'year', summary: '', points: [] },
    };
    const points = [1, 2].map((each) => ({ name: 'January', high: each, low: 0, precipitation: 0 }));
    const structuredContent = { ...result.structuredContent, points };
    const shown = await show('Atlantis', { result: { ...result, structuredContent } });
    expect(await shown.text()).toContain('<b>Nowhere</b>');
    await shown.view.getByText('Jan–Mar').click();
    await shown.settled();
    expect(await shown.text()).toContain('The period could not be loaded: There is no climate of "Atlantis".');
    expect(await shown.view.getByRole('radio', { name: 'Year' }).isChecked()).toBe(true);
  });
});
