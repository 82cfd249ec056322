/** The service behind the tools: finds a city, and cuts a period out of its year. */
import { CITY_CLIMATES, type CityClimate } from './city-climates';

/** The periods of a chart: the whole year by months, or a quarter by weeks. */
export const PERIODS = ['year', 'jan-mar', 'apr-jun', 'jul-sep', 'oct-dec'] as const;

/** One of them. */
export type Period = (typeof PERIODS)[number];

/** A month or a week, with its normals. */
export interface Normals {
  /** `January`, or the first day of the week: `1 January`. */
  readonly name: string;
  /** °C. */
  readonly high: number;
  /** °C. */
  readonly low: number;
  /** mm, in all. */
  readonly precipitation: number;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const WEEKS_IN_QUARTER = 13;

/** Built by the container once per server. */
export class Climate {
  /** Accents and case do not matter. */
  find(city: string): CityClimate | undefined {
    return CITY_CLIMATES.find((each) => fold(each.city) === fold(city));
  }

  /** All names. */
  names(): string[] {
    return CITY_CLIMATES.map(({ city }) => city);
  }

  /** The months of the year, or the weeks of a quarter. */
  normals(city: CityClimate, period: Period): Normals[] {
    if (period === 'year') return MONTHS.map((name, month) => ({ name, ...monthOf(city, month) }));
    const first = (PERIODS.indexOf(period) - 1) * 3;
    const start = DAYS.slice(0, first).reduce((sum, days) => sum + days, 0);
    return Array.from({ length: WEEKS_IN_QUARTER }, (_, week) => weekOf(city, start + week * 7));
  }
}

function monthOf({ highs, lows, precipitation }: CityClimate, month: number): Omit<Normals, 'name'> {
  return { high: highs[month] ?? 0, low: lows[month] ?? 0, precipitation: precipitation[month] ?? 0 };
}

/** @param start the day of the year on which the week begins, from 0 */
function weekOf({ highs, lows, precipitation }: CityClimate, start: number): Normals {
  const daily = precipitation.map((total, month) => total / (DAYS[month] ?? 30));
  const middle = start + 3.5;
  return {
    name: nameOf(start),
    high: tenth(valueOn(highs, middle)),
    low: tenth(valueOn(lows, middle)),
    precipitation: tenth(valueOn(daily, middle) * 7),
  };
}

/** Between the middles of two months, so that the year has no steps. */
function valueOn(monthly: readonly number[], day: number): number {
  const { month, date } = dateOf(day);
  const fromMiddle = date / (DAYS[month] ?? 30) - 0.5;
  const neighbour = (month + (fromMiddle < 0 ? 11 : 1)) % 12;
  const share = Math.abs(fromMiddle);
  return (monthly[month] ?? 0) * (1 - share) + (monthly[neighbour] ?? 0) * share;
}

function dateOf(day: number): { month: number; date: number } {
  let date = day;
  let month = 0;
  for (; date >= (DAYS[month] ?? Infinity); month += 1) date -= DAYS[month] ?? 0;
  return { month, date };
}

function nameOf(day: number): string {
  const { month, date } = dateOf(day);
  return `${date + 1} ${MONTHS[month]}`;
}

const fold = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();

// `+ 0` turns a negative zero into 0.
const tenth = (value: number): number => Math.round(value * 10) / 10 + 0;
