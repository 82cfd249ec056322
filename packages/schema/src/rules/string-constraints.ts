/** The constraints of class-validator on strings. Formats are annotations in JSON Schema 2020-12, the validator asserts them. */
import { hasLength } from '../code-points';
import type { Interpret, Meaning } from './constraint-meaning';
import { FITS_FORMAT, type FormFormat } from '../form-formats';
import type { JsonSchema } from '../json-schema';

const kinds = ['string'] as const;
const loneSurrogate = /\p{Surrogate}/u;

/** Listed by keywords that say less than the constraint, or by none. */
const annotated =
  (keywords: JsonSchema = {}): Interpret =>
  () => ({ kinds, keywords, stricter: true });
/** Listed by a format that says about the same; options of the author's say more than the format. */
const formatted =
  (format: FormFormat): Interpret =>
  ([options]) => ({
    kinds,
    keywords: { format },
    stricter: true,
    loose: true,
    ...(options === undefined && {
      fitsForm: (value: unknown) => typeof value === 'string' && FITS_FORMAT[format](value),
    }),
  });
const dated: Interpret = (parameters) => ({ ...formatted('date-time')(parameters), dateText: true });
const pattern =
  (source: string): Interpret =>
  () => ({ kinds, ...patternMeaning(source) });

const lengthConstraints: Readonly<Record<string, Interpret>> = {
  isLength: ([least, most]) => interpretLength(least, most),
  minLength: ([least]) => interpretLength(least, undefined),
  maxLength: ([most]) => interpretLength(undefined, most),
  isByteLength: annotated(),
};

const contentConstraints: Readonly<Record<string, Interpret>> = {
  matches: ([expression, flags]) => interpretExpression(expression, flags),
  contains: ([seed]) => interpretSeed(seed, (source) => patternMeaning(source)),
  notContains: ([seed]) => interpretSeed(seed, (source) => ({ keywords: { not: { pattern: source } } })),
  isAlpha: ([locale]) => (locale === undefined ? pattern('^[A-Za-z]+$')([]) : { kinds, stricter: true }),
  isAlphanumeric: ([locale]) => (locale === undefined ? pattern('^[0-9A-Za-z]+$')([]) : { kinds, stricter: true }),
  isAscii: pattern('^[\\x00-\\x7F]+$'),
  isBooleanString: () => ({ kinds, allowed: ['true', 'false', '1', '0'] }),
  isHexadecimal: pattern('^(0[xXhH])?[0-9A-Fa-f]+$'),
  isMilitaryTime: pattern('^([01]\\d|2[0-3]):?([0-5]\\d)$'),
  isMongoId: pattern('^([0-9A-Fa-f]{24}|0[xXhH][0-9A-Fa-f]{22})$'),
  isNumberString: ([options]) =>
    options === undefined ? pattern('^[+-]?([0-9]*[.])?[0-9]+$')([]) : { kinds, stricter: true },
};

const formatConstraints: Readonly<Record<string, Interpret>> = {
  isEmail: formatted('email'),
  isUuid: annotated({ format: 'uuid' }),
  isUrl: () => ({ kinds, keywords: { format: 'uri' }, stricter: true, loose: true }),
  isFqdn: annotated({ format: 'hostname' }),
  isIp: ([version]) => {
    const format = { 4: 'ipv4', 6: 'ipv6' }[String(version)];
    return { kinds, keywords: format === undefined ? {} : { format }, stricter: true };
  },
  isIso8601: dated,
  isDateString: dated,
  isRFC3339: dated,
  isJson: annotated({ contentMediaType: 'application/json' }),
  isBase64: annotated({ contentEncoding: 'base64' }),
  isBase32: annotated({ contentEncoding: 'base32' }),
};

/** Checks of one kind of text each, for which JSON Schema has no word. */
const unlisted = [
  'isBIC', 'isBase58', 'isBtcAddress', 'isCreditCard', 'isCurrency', 'isDataURI', 'isDecimal', 'isEAN', 'isEthereumAddress',
  'IsFirebasePushId', 'isFullWidth', 'isHSL', 'isHalfWidth', 'isHash', 'isHexColor', 'isIBAN', 'isISBN', 'isISO31661Alpha2',
  'isISO31661Alpha3', 'isISO31661Numeric', 'isISO4217CurrencyCode', 'isISO6391', 'isISRC', 'isISSN', 'isIdentityCard', 'isIsbn',
  'isIsin', 'isJwt', 'isLatLong', 'isLocale', 'isLowercase', 'isMacAddress', 'isMagnetURI', 'isMimeType', 'isMobilePhone',
  'isMultibyte', 'isOctal', 'isPassportNumber', 'isPhoneNumber', 'isPort', 'isPostalCode', 'isRgbColor', 'isSemVer',
  'isStrongPassword', 'isSurrogatePair', 'isTaxId', 'isTimeZone', 'isUppercase', 'isVariableWidth',
]; // prettier-ignore

/** The string part of the table, by class-validator's names. */
export const stringConstraints: Readonly<Record<string, Interpret>> = {
  ...lengthConstraints,
  ...contentConstraints,
  ...formatConstraints,
  ...Object.fromEntries(unlisted.map((name) => [name, annotated()])),
};

function interpretLength(least: unknown, most: unknown): Meaning {
  const low = least ?? 0;
  const high = most ?? Infinity;
  if (typeof low !== 'number' || typeof high !== 'number' || Number.isNaN(low + high) || high < 0)
    return { kinds, stricter: true };
  return {
    kinds,
    keywords: {
      ...(low > 0 && { minLength: Math.ceil(low) }),
      ...(high < Infinity && { maxLength: Math.floor(high) }),
    },
    // validator.js takes an emoji and its variation selector for one character, JSON Schema for two.
    checkedBy: (value) => typeof value === 'string' && hasLength(value, low, high),
  };
}

function interpretExpression(expression: unknown, flags: unknown): Meaning {
  const given = expression instanceof RegExp ? expression : toExpression(expression, flags);
  const listable = given && /^[dgu]*$/.test(given.flags) && toExpression(given.source, 'u');
  // JSON Schema has no flags, and its patterns are read as Unicode: another meaning is not listed at all.
  return { kinds, expression: given, ...(listable ? patternMeaning(listable.source) : { stricter: true }) };
}

function toExpression(source: unknown, flags: unknown): RegExp | undefined {
  try {
    return new RegExp(String(source), typeof flags === 'string' ? flags : '');
  } catch {
    return undefined;
  }
}

function patternMeaning(source: string): Meaning {
  const expression = new RegExp(source, 'u');
  return { keywords: { pattern: source }, checkedBy: (value) => typeof value === 'string' && expression.test(value) };
}

function interpretSeed(seed: unknown, meaningOf: (source: string) => Meaning): Meaning {
  // class-validator's answer for an empty seed is not what a pattern would say, and half a character has no pattern.
  if (typeof seed !== 'string' || seed === '' || loneSurrogate.test(seed)) return { kinds, stricter: true };
  return { kinds, ...meaningOf(seed.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')) };
}
