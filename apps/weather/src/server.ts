/** The server's definition: which classes it is made of. Tests import it, and `main.ts` puts it on a transport. */
import { createServer } from '@sigil-mcp/core';
import { Climate } from './climate';
import { ClimateResources } from './climate-resources';
import { Timing } from './timing';
import { TravelPrompts } from './travel-prompts';
import { WeatherFeature } from './weather-feature';

/** Climate normals of cities on every continent. */
export const server = createServer({
  name: 'weather',
  version: '0.1.0',
  title: 'Weather of the world',
  instructions:
    'Climate normals, not live weather: averages of many years for a few dozen cities. Say so when you use them. ' +
    'Read weather://cities for the list before you ask for a city that may not be on it.',
  features: [WeatherFeature, ClimateResources, TravelPrompts],
  providers: [Climate],
  interceptors: [Timing],
});
