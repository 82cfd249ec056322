/** Interpolation between months: the normals of a single day. */
import type { CityClimate, MonthlyValues } from './city-climate';
import { DAYS_IN_MONTH } from './months';

/** An average day over many years. */
export interface DayNormals {
  /** °C. */
  readonly high: number;
  /** °C. */
  readonly low: number;
  /** mm. */
  readonly precipitation: number;
}

/**
 * Interpolates between the middles of two months, so that the year has no steps. The same day always has the same
 * normals.
 * @param day its month and day of month are read, in UTC
 */
export function dayNormals({ highs, lows, precipitation }: CityClimate, day: Date): DayNormals {
  const daily = DAYS_IN_MONTH.map((days, month) => (precipitation[month] ?? 0) / days);
  return {
    high: roundTenth(interpolate(highs, day)),
    low: roundTenth(interpolate(lows, day)),
    precipitation: roundTenth(interpolate(daily, day)),
  };
}

function interpolate(monthly: MonthlyValues | readonly number[], day: Date): number {
  const month = day.getUTCMonth();
  const days = DAYS_IN_MONTH[month] ?? 30;
  const fromMiddle = (day.getUTCDate() - 0.5) / days - 0.5;
  const neighbour = (month + (fromMiddle < 0 ? 11 : 1)) % 12;
  const share = Math.abs(fromMiddle);
  return (monthly[month] ?? 0) * (1 - share) + (monthly[neighbour] ?? 0) * share;
}

function roundTenth(value: number): number {
  // `+ 0` turns a negative zero into 0: JSON would do so anyway, and tests see the difference.
  return Math.round(value * 10) / 10 + 0;
}
