/** The service behind the feature classes: finds cities and their climate. */
import type { CityClimate } from './city-climate';
import { foldName, nearestNames } from './city-name';
import { CLIMATE_NORMALS } from './climate-normals';
import { DAYS_IN_MONTH } from './months';
import { dayNormals, type DayNormals } from './day-normals';

const DAY = 24 * 60 * 60 * 1000;

/** A calendar day with its normals. */
export interface DatedNormals extends DayNormals {
  /** YYYY-MM-DD. */
  readonly date: string;
}

/** Built by the container once per server, and injected into every feature that asks for it. */
export class Climate {
  readonly #byName = new Map(CLIMATE_NORMALS.map((each) => [foldName(each.city), each]));

  /** Every city, by name. */
  cities(): readonly CityClimate[] {
    return CLIMATE_NORMALS;
  }

  /** Accents and case do not matter. */
  find(city: string): CityClimate | undefined {
    return this.#byName.get(foldName(city));
  }

  /** City names for completion: those that begin with the text first, then those that contain it. */
  citiesLike(text: string): string[] {
    const typed = foldName(text);
    const names = CLIMATE_NORMALS.map(({ city }) => city);
    const starting = names.filter((name) => foldName(name).startsWith(typed));
    return [...starting, ...names.filter((name) => !starting.includes(name) && foldName(name).includes(typed))];
  }

  /** The message for an unknown city, with a suggestion that the caller can act on. */
  explainUnknown(city: string): string {
    const names = CLIMATE_NORMALS.map((each) => each.city);
    const near = nearestNames(city, names, 3);
    const advice = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known cities: ${names.join(', ')}.`;
    return `There is no climate data for "${city}". ${advice}`;
  }

  /** The normals of several days in a row, in UTC. */
  days(city: CityClimate, from: Date, count: number): DatedNormals[] {
    return Array.from({ length: count }, (_, index) => {
      const day = new Date(from.getTime() + index * DAY);
      return { date: day.toISOString().slice(0, 10), ...dayNormals(city, day) };
    });
  }

  /** The whole year in three numbers. */
  year({ highs, lows, precipitation }: CityClimate): DayNormals {
    const mean = (values: readonly number[]): number =>
      Math.round(values.reduce((sum, value, month) => sum + value * (DAYS_IN_MONTH[month] ?? 0), 0) / 36.5) / 10;
    return { high: mean(highs), low: mean(lows), precipitation: precipitation.reduce((sum, value) => sum + value, 0) };
  }
}
