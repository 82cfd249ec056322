/** The data of one city: twelve months of climate normals. */

/** One value for each month, January first. */
export type MonthlyValues = readonly [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** A city and the normals of its reference station. */
export interface CityClimate {
  readonly city: string;
  readonly country: string;
  readonly continent: string;
  /** The station that the normals belong to. */
  readonly station: string;
  /** Degrees north; negative south of the equator. */
  readonly latitude: number;
  /** Degrees east; negative west of Greenwich. */
  readonly longitude: number;
  /** Mean daily maximum, °C. */
  readonly highs: MonthlyValues;
  /** Mean daily minimum, °C. */
  readonly lows: MonthlyValues;
  /** Mean monthly total, mm. */
  readonly precipitation: MonthlyValues;
}
