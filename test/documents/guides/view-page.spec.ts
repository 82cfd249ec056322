/** What `docs/apps.md` says and shows of the page of a view. */
import type { Browser } from 'playwright-core';
import { IsNumber, IsString } from 'class-validator';
import { apps, View } from '@sigil-mcp/apps';
import { connectView } from '@sigil-mcp/apps/view';
import { Feature, Tool, createServer } from '@sigil-mcp/core';
import { openChromium, renderView } from '@sigil-mcp/testing/view';
import { describeWith } from '../../support/supplies/supply';

class City {
  @IsString() city!: string;
}

class Week {
  @IsNumber({}, { each: true }) highs!: number[];
}

@Feature()
class WeatherFeature {
  @View('ui://weather/week', { file: './view-page/week.html' })
  readonly page!: View;

  @Tool('Temperatures of this week in a city', { output: Week, view: 'page' })
  week(_city: City): Week {
    return { highs: [12, 14, 9] };
  }

  @Tool('Temperatures of next week', { output: Week, view: 'page', visibleTo: ['app'] })
  nextWeek(_city: City): Week {
    return { highs: [10, 11, 13] };
  }
}

const server = createServer({
  name: 'weather',
  version: '1.0.0',
  logger: false,
  features: [WeatherFeature],
  extensions: [apps()],
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
