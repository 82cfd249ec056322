/** A series in words and as a table: what models read, and users whose host shows no views. */
import type { Normals, Period } from '../climate/climate';
import type { Series } from './series';

/** The extremes among months or weeks, in a sentence. */
export function summarise(city: string, period: Period, points: readonly Normals[]): string {
  const warmest = pick(points, (a, b) => a.high > b.high);
  const coldest = pick(points, (a, b) => a.low < b.low);
  const wettest = pick(points, (a, b) => a.precipitation > b.precipitation);
  if (!warmest || !coldest || !wettest) return city;
  const when = ({ name }: Normals): string => (period === 'year' ? name : `the week of ${name}`);
  return (
    `${city} is warmest in ${when(warmest)}, up to ${degrees(warmest.high)}, coldest in ${when(coldest)}, down to ` +
    `${degrees(coldest.low)}, and wettest in ${when(wettest)}, with ${Math.round(wettest.precipitation)} mm.`
  );
}

/** The summary, and a line for each point. */
export function textOf({ summary, points }: Series): string {
  const lines = points.map(
    ({ name, high, low, precipitation }) =>
      `${name}: ${degrees(low)} to ${degrees(high)}, ${Math.round(precipitation)} mm`,
  );
  return [summary, '', ...lines].join('\n');
}

function pick(points: readonly Normals[], isBetter: (a: Normals, b: Normals) => boolean): Normals | undefined {
  return points.reduce<Normals | undefined>((best, each) => (best && !isBetter(each, best) ? best : each), undefined);
}

const degrees = (value: number): string => `${Math.round(value)} °C`.replace('-', '\u2212');
