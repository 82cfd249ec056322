/** Suggestions for what was mistyped. */
import { nearestNames } from '@sigil-mcp/core/internal';
import { suggest } from '../src/arguments/find-unsaid';

it('finds the names that somebody may have meant, nearest first', () => {
  expect(nearestNames('forcast', ['forecast', 'compareCities', 'forecasts'])).toEqual(['forecast', 'forecasts']);
  expect(nearestNames('CITIES', ['compareCities', 'forecast'])).toEqual(['compareCities']);
});

it('suggests nothing that is far, and lists what there is instead', () => {
  expect(suggest('delete', ['forecast', 'cities'])).toBe('Available: forecast, cities.');
  expect(suggest('delete', [])).toBe('None are available.');
});
