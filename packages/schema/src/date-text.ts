/** Dates on the wire: RFC 3339 date-times, and whole days, which are read as midnight UTC. */

const dateText = /^(\d{4}-\d{2}-\d{2})(?:[Tt\s](\d{2}:\d{2}):(\d{2})(\.\d+)?(?:[Zz]|([+-]\d{2}):?(\d{2})?))?$/;
const dateTime = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** What `isDateText` accepts, for a model or a person. */
export const DATE_WORDS = 'a date such as 2026-01-31 or a date and time such as 2026-01-31T12:00:00Z';

/** The same in a listed schema, which a model reads with each property. */
export const LISTED_DATE = 'a date: 2026-01-31 or 2026-01-31T12:00:00Z';

/** Whether a text names a moment without depending on the server's time zone. */
export function isDateText(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(momentOf(value));
}

/** A text that names a moment -> a date-time of RFC 3339 with its offset: itself, where it is one. */
export function toDateTime(text: string): string {
  return dateTime.test(text) ? text : readDateText(text).toISOString();
}

/** The date that a text names; an invalid one for any other text. */
export function readDateText(text: string): Date {
  return new Date(momentOf(text));
}

/** Milliseconds since 1970, or NaN. A leap second, which JavaScript does not know, is the first one of the next minute. */
function momentOf(text: string): number {
  const found = dateText.exec(text);
  if (!found) return Number.NaN;
  const [, day, minute, second, fraction = '', hours = '+00', minutes = '00'] = found;
  if (minute === undefined) return Date.parse(text);
  const isLeap = second === '60';
  const moment = Date.parse(`${day}T${minute}:${isLeap ? '59' : second}${fraction}${hours}:${minutes}`);
  return isLeap ? moment + 1000 : moment;
}

// The formats that a form can publish, and the texts that match them: all texts that JSON Schema validators such as ajv accept, so that
// no answer is refused that matches its form.
// @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3

/** The formats that a form knows. */
export const FORM_FORMATS = ['email', 'uri', 'date', 'date-time'] as const;

/** One of them. */
export type FormFormat = (typeof FORM_FORMATS)[number];

const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;
const URI = /^[a-z][a-z0-9+.-]*:[^\s<>{}|\\^`]*$/i;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** Whether a text fits a format. */
export const FITS_FORMAT: Readonly<Record<FormFormat, (text: string) => boolean>> = {
  email: (text) => EMAIL.test(text),
  uri: (text) => URI.test(text),
  date: (text) => text.length === DAY_LENGTH && isDateText(text),
  'date-time': isDateText,
};
