/** The tools: the questions of a model about the climate. */
import { Feature, McpContext, Tool, ToolFailure } from '@sigil-mcp/core';
import { BestMonths, BestMonthsQuery, rankMonths } from './best-months';
import type { CityClimate } from './city-climate';
import { Climate } from './climate';
import { ComparedCity, Comparison, ComparisonQuery } from './comparison';
import { Forecast, ForecastQuery, type ForecastDay } from './forecast';
import { MONTHS, type Month } from './months';

/** Built once per server, with the service injected. */
@Feature()
export class WeatherFeature {
  constructor(private readonly climate: Climate) {}

  @Tool(
    'What the weather is normally like in a city on the coming days (or from a given date on): the mean of many ' +
      'years for each day, not a prediction of this one.',
    { title: 'Outlook for a city', output: Forecast, readOnly: true, idempotent: true },
  )
  async forecast({ city, days, from }: ForecastQuery, context: McpContext): Promise<Forecast> {
    await context.progress(0, 1, 'looking up the normals');
    const found = this.#get(city);
    const outlook = this.climate.days(found, startOf(from), days);
    return { city: found.city, country: found.country, summary: summarise(found, outlook), days: outlook };
  }

  @Tool('Compares the normal climate of two to six cities, in one month or over the whole year.', {
    title: 'Compare cities',
    output: Comparison,
    readOnly: true,
    idempotent: true,
  })
  async compareCities({ cities, month }: ComparisonQuery, context: McpContext): Promise<Comparison> {
    const compared: ComparedCity[] = [];
    for (const [index, city] of cities.entries()) {
      await context.progress(index, cities.length, city);
      compared.push(this.#compare(this.#get(city), month));
    }
    const by = (order: (a: ComparedCity, b: ComparedCity) => number): string =>
      [...compared].sort(order)[0]?.city ?? '';
    return {
      period: month ?? 'the whole year',
      warmest: by((a, b) => b.high - a.high),
      driest: by((a, b) => a.precipitation - b.precipitation),
      cities: compared,
    };
  }

  @Tool('The three months in which a city suits a traveller best: near the temperature they like, with little rain.', {
    title: 'Best time to visit',
    output: BestMonths,
    readOnly: true,
    idempotent: true,
  })
  bestTimeToVisit({ city, taste }: BestMonthsQuery): BestMonths {
    const found = this.#get(city);
    return { city: found.city, months: rankMonths(found, taste).slice(0, 3) };
  }

  #compare(found: CityClimate, month: Month | undefined): ComparedCity {
    const { city, country, highs, lows, precipitation } = found;
    if (month === undefined) return { city, country, ...this.climate.year(found) };
    const index = MONTHS.indexOf(month);
    return { city, country, high: highs[index] ?? 0, low: lows[index] ?? 0, precipitation: precipitation[index] ?? 0 };
  }

  /** The message lets a model correct its call. */
  #get(city: string): CityClimate {
    const found = this.climate.find(city);
    if (!found) throw new ToolFailure(this.climate.explainUnknown(city));
    return found;
  }
}

function startOf(from: string | undefined): Date {
  const start = new Date(from === undefined ? Date.now() : `${from}T00:00:00Z`);
  // JavaScript reads February 30 as March 2.
  if (Number.isNaN(start.getTime()) || (from !== undefined && start.toISOString().slice(0, 10) !== from)) {
    throw new ToolFailure(`There is no day ${from} in the calendar. Write it as YYYY-MM-DD.`);
  }
  return start;
}

function summarise({ city }: CityClimate, days: readonly ForecastDay[]): string {
  const highest = Math.max(...days.map(({ high }) => high));
  const lowest = Math.min(...days.map(({ low }) => low));
  const rain = days.reduce((sum, { precipitation }) => sum + precipitation, 0);
  return `${city}: normally between ${lowest} and ${highest} °C, with ${rain.toFixed(1)} mm of precipitation in all.`;
}
