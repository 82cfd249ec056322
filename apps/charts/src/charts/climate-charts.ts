/** The tools with their view: one that the model calls, and one that only the view calls. */
import { View } from '@sigil-mcp/apps';
import { Feature, Tool, ToolFailure, toolResult, type ToolResult } from '@sigil-mcp/core';
import { Climate, type Period } from '../climate/climate';
import { summarise, textOf } from './describe-series';
import { CityQuery, PeriodQuery, Series } from './series';

/** Built once per server. */
@Feature()
export class ClimateCharts {
  @View('ui://charts/climate', { file: './climate.html' })
  readonly chart!: View;

  constructor(private readonly cities: Climate) {}

  @Tool('Shows the user how warm and how wet a city is through the year, as a chart.', {
    title: 'Climate of a city',
    output: Series,
    readOnly: true,
    idempotent: true,
    view: 'chart',
  })
  climate({ city }: CityQuery): ToolResult {
    return this.#answer(city, 'year');
  }

  @Tool('The weeks of a quarter, or the months of the year, for the chart.', {
    output: Series,
    readOnly: true,
    idempotent: true,
    view: 'chart',
    visibleTo: ['app'],
  })
  climatePeriod({ city, period }: PeriodQuery): ToolResult {
    return this.#answer(city, period);
  }

  #answer(name: string, period: Period): ToolResult {
    const found = this.cities.find(name);
    if (!found)
      throw new ToolFailure(`There is no climate of "${name}". Known cities: ${this.cities.names().join(', ')}.`);
    const { city, country } = found;
    const points = this.cities.normals(found, period);
    const series: Series = { city, country, period, summary: summarise(city, period, points), points };
    return toolResult({ content: textOf(series), structured: series });
  }
}
