/** A server with views: one in a file, one that a method makes, and tools that show and feed them. */
import { apps, View, view, type AppsOptions } from '@sigil-mcp/apps';
import {
  Feature,
  McpContext,
  Resource,
  Tool,
  createServer,
  tool,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import { IsString } from 'class-validator';

class City {
  @IsString() city!: string;
}

class Series {
  @IsString() city!: string;
  @IsString({ each: true }) days!: string[];
}

/** A whole page with a text. */
export const pageWith = (text: string): string =>
  `<!doctype html><html lang="en"><head><title>${text}</title></head><body><p>${text}</p></body></html>`;

@Feature()
export class WeatherFeature {
  @View('ui://weather/chart', {
    file: './pages/chart.html',
    title: 'Chart of the weather',
    description: 'Draws a series',
    csp: { connectDomains: ['https://api.example.com'] },
    permissions: ['clipboardWrite'],
    border: true,
  })
  readonly chart!: View;

  @View('ui://weather/now')
  now(context: McpContext): string {
    return pageWith(`Hello ${context.client.name}`);
  }

  @Tool('A series of the weather', { output: Series, view: 'chart' })
  series({ city }: City): Series {
    return { city, days: ['sun'] };
  }

  @Tool('The same series, newer', { view: 'chart', visibleTo: ['app'] })
  refresh({ city }: City): string {
    return city;
  }

  @Tool('The weather now', { view: 'now', visibleTo: ['model'] })
  current(): string {
    return 'sun';
  }

  @Tool('Has no view')
  plain(): string {
    return 'plain';
  }

  @Resource('weather://today')
  today(): string {
    return 'sun';
  }
}

export const hello = view('ui://weather/hello', { name: 'hello' }, () => pageWith('Hello'));
export const greet = tool('greet', { description: 'Greets', view: 'hello' }, () => 'Hello');

/** The server. */
export function weather(options: AppsOptions = {}, more: Partial<ServerOptions> = {}): Server {
  const features = [WeatherFeature, hello, greet];
  return createServer({
    name: 'weather',
    version: '1.0.0',
    features,
    extensions: [apps(options)],
    logger: false,
    ...more,
  });
}
