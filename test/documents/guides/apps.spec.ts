/** What `docs/apps.md` says and shows of the server's side. */
import { apps, View, view } from '@sigil-mcp/apps';
import { Feature, McpContext, Tool, createServer, tool, type FeatureSource } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { IsNumber, IsString } from 'class-validator';

class City {
  @IsString() city!: string;
}

class Week {
  @IsString() city!: string;
  @IsNumber({}, { each: true }) highs!: number[];
}

// #region feature
@Feature()
export class WeatherFeature {
  @View('ui://weather/chart', { file: './apps/chart.html' })
  readonly chart!: View;

  @Tool('Temperatures of this week in a city', { output: Week, view: 'chart' })
  week({ city }: City): Week {
    return { city, highs: [12, 14, 9] };
  }

  @Tool('Temperatures of next week', { output: Week, view: 'chart', visibleTo: ['app'] })
  nextWeek({ city }: City): Week {
    return { city, highs: [10, 11, 13] };
  }
}
// #endregion feature

// #region server
export const server = createServer({
  name: 'weather',
  version: '1.0.0',
  features: [WeatherFeature],
  extensions: [apps()],
});
// #endregion server

@Feature()
export class MapFeature {
  // #region policy
  @View('ui://weather/map', {
    file: './apps/chart.html',
    csp: { connectDomains: ['https://api.example.com'], resourceDomains: ['https://*.tiles.example.com'] },
    permissions: ['geolocation'],
    border: true,
  })
  readonly map!: View;
  // #endregion policy

  // #region made
  @View('ui://weather/greeting')
  greeting({ client }: McpContext): string {
    return page(`Hello, user of ${client.name}`);
  }
  // #endregion made

  @Tool('Shows a map', { view: 'map' })
  where(): string {
    return 'Oslo';
  }

  @Tool('Greets', { view: 'greeting' })
  greet(): string {
    return 'Hello';
  }
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const page = (text: string): string =>
  `<!doctype html><html lang="en"><title>Greeting</title><p>${escape(text)}</p></html>`;

// #region functions
const clock = view('ui://office/clock', { name: 'clock' }, () => page(new Date().toTimeString()));
const now = tool('now', { description: 'The time in the office', view: 'clock' }, () => new Date().toTimeString());
// #endregion functions

const opened = (features: readonly FeatureSource[]) =>
  connect(createServer({ name: 'guide', version: '1.0.0', features, extensions: [apps()], logger: false }));

describe('the guide to views', () => {
  it('shows a view of a file', async () => {
    const client = await opened([WeatherFeature]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, _meta: meta }) => [name, (meta as { ui: object }).ui])).toEqual([
      ['week', { resourceUri: 'ui://weather/chart' }],
      ['nextWeek', { resourceUri: 'ui://weather/chart', visibility: ['app'] }],
    ]);
    expect((await client.readResource('ui://weather/chart')).contents).toMatchObject([
      { mimeType: 'text/html;profile=mcp-app' },
    ]);
    await client.close();
  });

  it('shows a policy, a page that a method makes, and functions', async () => {
    const week = tool('nextWeek', { description: 'More' }, () => 'more');
    const client = await opened([MapFeature, week, clock, now]);
    expect((await client.readResource('ui://weather/map')).contents).toMatchObject([
      { _meta: { ui: { permissions: { geolocation: {} }, prefersBorder: true } } },
    ]);
    const [greeting] = (await client.readResource('ui://weather/greeting')).contents;
    expect(greeting?.text).toContain('Hello, user of ');
    expect(await client.callTool('now')).toMatchObject({ content: [{ type: 'text' }] });
    await client.close();
  });
});
