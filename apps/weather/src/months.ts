/** The names and lengths of the months. */

/** January first, as in the climate normals. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** One of them. */
export type Month = (typeof MONTHS)[number];

/** Days of each month; the normals ignore leap years. */
export const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;
