/** The server's definition: the climate of cities, as a chart for people and as text for everyone else. */
import { apps } from '@sigil-mcp/apps';
import { createServer, type Server } from '@sigil-mcp/core';
import { ClimateCharts } from './charts/climate-charts';
import { Climate } from './climate/climate';

/** A server of its own. Each test creates one. */
export function chartsServer(): Server {
  return createServer({
    name: 'charts',
    version: '0.1.0',
    title: 'Climate charts',
    strict: true,
    instructions:
      'Averages of many years, not live weather. The user sees a chart: mention what is special, and do not repeat its numbers.',
    features: [ClimateCharts],
    extensions: [apps()],
    providers: [Climate],
  });
}

/** The instance that `sigil inspect` and `sigil dev` read. */
export const server = chartsServer();
