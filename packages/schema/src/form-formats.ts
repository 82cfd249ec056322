/**
 * The formats that a form can publish, and the texts that match them: all texts that JSON Schema validators such as ajv accept, so that
 * no answer is refused that matches its form.
 * @see https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3
 */
import { isDateText } from './date-text';

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
