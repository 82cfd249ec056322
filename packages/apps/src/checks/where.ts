/** Where an entry is written down, in messages. */
import type { EntryFacts } from '@sigil-mcp/core';

/** `WeatherFeature.chart (module weather)` or `resource "ui://weather/chart"`. */
export function whereOf({ kind, key, source }: EntryFacts): string {
  const { feature, member, module } = source;
  const place = feature && member !== undefined ? `${feature.name}.${member}` : `${kind} ${JSON.stringify(key)}`;
  return module === undefined ? place : `${place} (${module})`;
}
