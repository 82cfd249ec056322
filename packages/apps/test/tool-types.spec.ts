/** The types of a view, from the class with its tools. */
import { toolResult, type McpContext, type ToolResult } from '@sigil-mcp/core';
import type {
  ConnectedView,
  DisplayMode,
  HostContext,
  ArgumentsOfTool,
  DataOfTool,
  OnWire,
} from '@sigil-mcp/apps/view';
import type { McpUiDisplayMode, McpUiHostContext } from '@modelcontextprotocol/ext-apps';

class Query {
  city!: string;
  days?: number;
  since?: Date;
}

class Series {
  points!: { day: Date; high: number }[];
  byMonth!: Map<string, number>;
  describe(): string {
    return '';
  }
}

class WeatherFeature {
  readonly #private = 1;
  readonly name = 'weather';

  async series(_query: Query, _context: McpContext): Promise<Series> {
    return new Series();
  }

  cities(): string {
    return String(this.#private);
  }

  now(_context: McpContext): { readonly at: Date } | ToolResult {
    return toolResult({});
  }
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T | undefined => undefined;

it('has arguments as JSON', () => {
  holds<Same<ArgumentsOfTool<WeatherFeature, 'series'>['city'], string>>();
  holds<Same<ArgumentsOfTool<WeatherFeature, 'series'>['since'], string | undefined>>();
  holds<Same<keyof ArgumentsOfTool<WeatherFeature, 'now'>, string>>();
});

it('has data as JSON: dates as texts, Maps as objects, and no methods', () => {
  type Data = DataOfTool<WeatherFeature, 'series'>;
  holds<Same<keyof Data, 'points' | 'byMonth'>>();
  holds<Same<Data['points'][number], { readonly day: string; readonly high: number }>>();
  holds<Same<Data['points'], readonly { readonly day: string; readonly high: number }[]>>();
  holds<Same<OnWire<[Date, number]>, readonly [string, number]>>();
  holds<Same<Data['byMonth'], { readonly [key: string]: number }>>();
  holds<Same<DataOfTool<WeatherFeature, 'cities'>, undefined>>();
  holds<Same<DataOfTool<WeatherFeature, 'now'>, { readonly at: string }>>();
});

it('checks the calls of a view', () => {
  const use = (view: ConnectedView<WeatherFeature, 'series'>) => {
    view.onArguments(({ city }) => city.toUpperCase());
    view.onResult((answer) => {
      if (!answer.isError) return answer.data.points.length;
      // @ts-expect-error -- a failure has no data
      return answer.data.points;
    });
    // @ts-expect-error -- no such tool
    void view.call('serie', { city: 'Oslo' });
    // @ts-expect-error -- a property is no tool
    void view.call('name', {});
    // @ts-expect-error -- `city` is missing
    void view.call('series', { days: 3 });
    // @ts-expect-error -- `days` is a number
    void view.call('series', { city: 'Oslo', days: '3' });
    return view.call('cities', {});
  };
  expect(use).toBeInstanceOf(Function);
});

it('reads what official hosts send', () => {
  const context = (official: McpUiHostContext): HostContext => official as Readonly<Omit<McpUiHostContext, 'styles'>>;
  const mode = (official: McpUiDisplayMode): DisplayMode => official;
  const back = (own: DisplayMode): McpUiDisplayMode => own;
  expect([context, mode, back]).toHaveLength(3);
});
