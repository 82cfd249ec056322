/** The tools with their view: one that the model calls, and one that only the view calls. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inlineBridge } from '@sigil-mcp/apps';
import { Feature, Resource, Tool, ToolFailure, toolResult, type ToolResult } from '@sigil-mcp/core';
import { Climate, type Period } from '../climate/climate';
import { summarise, textOf } from './describe-series';
import { CityQuery, PeriodQuery, Series } from './series';

const VIEW = 'ui://charts/climate';

/** Built once per server. */
@Feature()
export class ClimateCharts {
  constructor(private readonly cities: Climate) {}

  @Resource(VIEW, { name: 'chart', mimeType: 'text/html;profile=mcp-app' })
  chart(): string {
    return inlineBridge(readFileSync(join(__dirname, '..', '..', 'src', 'charts', 'climate.html'), 'utf8'));
  }

  @Tool('Shows the user how warm and how wet a city is through the year, as a chart.', {
    title: 'Climate of a city',
    output: Series,
    readOnly: true,
    idempotent: true,
    meta: { ui: { resourceUri: VIEW } },
  })
  climate({ city }: CityQuery): ToolResult {
    return this.#answer(city, 'year');
  }

  @Tool('The weeks of a quarter, or the months of the year, for the chart.', {
    output: Series,
    readOnly: true,
    idempotent: true,
    meta: { ui: { resourceUri: VIEW, visibility: ['app'] } },
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
