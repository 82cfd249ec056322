/**
 * Monthly normals of a few cities in whole degrees and millimetres, after what the national weather services publish through the World
 * Meteorological Organization. It is an example's data, compiled by hand and not checked value by value.
 * @see https://worldweather.wmo.int
 */

/** A city and its twelve months, January first. */
export interface CityClimate {
  readonly city: string;
  readonly country: string;
  /** Mean daily maximum, °C. */
  readonly highs: readonly number[];
  /** Mean daily minimum, °C. */
  readonly lows: readonly number[];
  /** Mean monthly total, mm. */
  readonly precipitation: readonly number[];
}

/** The cities by name. */
export const CITY_CLIMATES: readonly CityClimate[] = [
  {
    city: 'Auckland',
    country: 'New Zealand',
    highs: [23, 24, 22, 20, 18, 16, 15, 15, 17, 18, 20, 22],
    lows: [15, 16, 14, 12, 10, 8, 7, 8, 9, 10, 12, 14],
    precipitation: [73, 66, 87, 99, 113, 126, 145, 118, 105, 100, 86, 93],
  },
  {
    city: 'Bangkok',
    country: 'Thailand',
    highs: [33, 34, 35, 36, 35, 34, 34, 33, 33, 33, 33, 32],
    lows: [23, 24, 26, 27, 27, 26, 26, 26, 25, 25, 24, 23],
    precipitation: [24, 19, 54, 93, 215, 210, 183, 212, 344, 304, 47, 14],
  },
  {
    city: 'Bogotá',
    country: 'Colombia',
    highs: [20, 20, 20, 20, 19, 19, 18, 19, 19, 19, 19, 20],
    lows: [5, 6, 8, 9, 9, 9, 8, 8, 7, 8, 8, 7],
    precipitation: [50, 68, 91, 135, 120, 54, 35, 45, 70, 137, 127, 81],
  },
  {
    city: 'Cairo',
    country: 'Egypt',
    highs: [19, 20, 24, 28, 32, 34, 35, 34, 33, 29, 25, 20],
    lows: [9, 10, 12, 15, 18, 20, 22, 22, 21, 17, 14, 10],
    precipitation: [5, 4, 4, 1, 1, 0, 0, 0, 0, 1, 4, 6],
  },
  {
    city: 'Lisbon',
    country: 'Portugal',
    highs: [15, 16, 19, 20, 22, 26, 28, 28, 27, 23, 18, 15],
    lows: [8, 9, 11, 12, 14, 17, 18, 19, 18, 15, 12, 9],
    precipitation: [100, 85, 53, 68, 54, 16, 4, 6, 33, 101, 128, 127],
  },
  {
    city: 'Nairobi',
    country: 'Kenya',
    highs: [25, 26, 26, 24, 23, 22, 21, 21, 24, 25, 23, 23],
    lows: [12, 12, 13, 14, 13, 11, 10, 10, 11, 13, 13, 13],
    precipitation: [64, 57, 93, 219, 177, 35, 18, 24, 28, 55, 154, 101],
  },
  {
    city: 'Oslo',
    country: 'Norway',
    highs: [0, 1, 5, 11, 17, 20, 23, 21, 16, 9, 4, 1],
    lows: [-5, -5, -2, 2, 7, 11, 13, 12, 8, 4, 0, -4],
    precipitation: [58, 45, 42, 48, 60, 80, 87, 102, 82, 92, 85, 55],
  },
  {
    city: 'Reykjavík',
    country: 'Iceland',
    highs: [3, 3, 4, 7, 10, 13, 15, 14, 11, 8, 5, 3],
    lows: [-2, -2, -1, 1, 4, 7, 9, 9, 6, 3, 0, -2],
    precipitation: [88, 91, 82, 58, 50, 42, 50, 65, 90, 84, 83, 93],
  },
  {
    city: 'Tokyo',
    country: 'Japan',
    highs: [10, 11, 14, 19, 24, 26, 30, 31, 28, 22, 17, 12],
    lows: [1, 2, 5, 10, 15, 19, 22, 24, 20, 15, 9, 4],
    precipitation: [60, 57, 116, 134, 140, 168, 156, 155, 225, 235, 96, 58],
  },
];
