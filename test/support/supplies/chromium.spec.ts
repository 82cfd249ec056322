/** One browser serves all specs of a run, and no spec notices another. */
import { openChromium } from './chromium';
import { describeWith } from './supply';

/** The process of a browser. */
async function processOf(browser: Awaited<ReturnType<typeof openChromium>>): Promise<number | undefined> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.find(({ type }) => type === 'browser')?.id;
}

describeWith('chromium', 'the browser of a run', () => {
  it('is one for all who ask, and stays open when one of them closes it', async () => {
    const [one, other] = [await openChromium(), await openChromium()];
    await one.newPage();
    expect([await processOf(other), other.contexts()]).toEqual([await processOf(one), []]);
    await one.close();
    const page = await other.newPage();
    await page.setContent('<p>Still here</p>');
    expect(await page.textContent('p')).toBe('Still here');
    await other.close();
  });
});
