/** The data and the service: complete, plausible, and found by names as people type them. */
import { foldName, nearestNames } from '../src/city-name';
import { Climate } from '../src/climate';
import { CLIMATE_NORMALS } from '../src/climate-normals';
import { DAYS_IN_MONTH } from '../src/months';

const climate = new Climate();

describe('the climate normals', () => {
  it('cover at least 20 cities on every continent', () => {
    expect(CLIMATE_NORMALS.length).toBeGreaterThanOrEqual(20);
    const continents = new Set(CLIMATE_NORMALS.map(({ continent }) => continent));
    expect(continents.size).toBe(7);
    expect(new Set(CLIMATE_NORMALS.map(({ city }) => foldName(city))).size).toBe(CLIMATE_NORMALS.length);
  });

  it.each(CLIMATE_NORMALS)(
    'of $city are twelve plausible months',
    ({ highs, lows, precipitation, latitude, longitude }) => {
      for (const values of [highs, lows, precipitation]) expect(values).toHaveLength(12);
      highs.forEach((high, month) => expect(high).toBeGreaterThan(lows[month] ?? Infinity));
      expect(Math.max(...highs)).toBeLessThan(45);
      expect(Math.min(...lows)).toBeGreaterThan(-40);
      expect(Math.min(...precipitation)).toBeGreaterThanOrEqual(0);
      expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
      // Away from the tropics, July is warmer than January in the north and colder in the south.
      if (Math.abs(latitude) > 24) expect(Math.sign((highs[6] ?? 0) - (highs[0] ?? 0))).toBe(Math.sign(latitude));
    },
  );
});

describe('the normals of a day', () => {
  const year = CLIMATE_NORMALS.map((city) => ({ city, days: climate.days(city, new Date('2027-01-01'), 365) }));

  it('stay between those of the neighbouring months', () => {
    for (const { city, days } of year) {
      expect(Math.max(...days.map(({ high }) => high))).toBeLessThanOrEqual(Math.max(...city.highs));
      expect(Math.min(...days.map(({ low }) => low))).toBeGreaterThanOrEqual(Math.min(...city.lows));
    }
  });

  it('pass from one month into the next without a step', () => {
    for (const { days } of year) {
      days.forEach(({ high }, index) => expect(Math.abs(high - (days.at(index - 1)?.high ?? high))).toBeLessThan(0.45));
    }
  });

  it('are those of the month in its middle', () => {
    const [oslo] = climate.days(climate.find('Oslo')!, new Date('2026-07-16'), 1);
    const days = DAYS_IN_MONTH[6];
    expect(oslo).toEqual({ date: '2026-07-16', high: 23, low: 13, precipitation: Math.round((87 / days) * 10) / 10 });
  });
});

describe('a city', () => {
  it('is found without accents, in any case, with any spaces', () => {
    expect(climate.find(' REYKJAVIK ')?.country).toBe('Iceland');
    expect(climate.find('rio  de janeiro')?.country).toBe('Brazil');
    expect(climate.find('Atlantis')).toBeUndefined();
  });

  it('is suggested by its beginning first, then by what it contains', () => {
    expect(climate.citiesLike('san')).toEqual(['San Francisco']);
    expect(climate.citiesLike('l')[0]).toBe('Lagos');
    expect(climate.citiesLike('town')).toEqual(['Cape Town']);
    expect(climate.citiesLike('')).toHaveLength(CLIMATE_NORMALS.length);
  });

  it('is guessed from a name with a typing error', () => {
    expect(nearestNames('Olso', ['Oslo', 'Lagos', 'Tokyo'], 3)).toEqual(['Oslo']);
    expect(nearestNames('york', ['New York', 'Oslo'], 3)).toEqual(['New York']);
    expect(nearestNames('', ['Oslo'], 3)).toEqual([]);
  });
});
