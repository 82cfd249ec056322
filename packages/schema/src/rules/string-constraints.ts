/** The constraints of class-validator on strings. Formats are annotations in JSON Schema 2020-12, the validator asserts them. */
import { LISTED_DATE } from '../date-text';
import type { JsonSchema } from '../value-plan';
import type { Constraint, Meaning } from './constraint';

const kinds = ['string'] as const;
const loneSurrogate = /\p{Surrogate}/u;

/** Listed by a pattern that says exactly the same. */
function pattern(name: string, decorator: string, source: string): Constraint {
  return { name, decorator, kinds, fixed: { pattern: source }, checkedAsListed: true };
}

/** Listed by keywords that say less than the constraint, or by none. */
function annotated(name: string, decorator: string, fixed: JsonSchema): Constraint {
  return { name, decorator, kinds, fixed, marks: { stricter: true } };
}

/** About the texts of a format, and others: listed in words, because a client that checks the format would refuse those. */
function worded(name: string, decorator: string, format: string, loose: string): Constraint {
  return { name, decorator, kinds, fixed: { format }, marks: { stricter: true, loose } };
}

/** The same for the text of a date. */
function dated(name: string, decorator: string, loose = LISTED_DATE): Constraint {
  const row = worded(name, decorator, 'date-time', loose);
  return { ...row, format: 'date-time', marks: { ...row.marks, dateText: true } };
}

const least = { argument: 0, map: 'least' } as const;
const most = { argument: 0, map: 'most' } as const;

const LENGTHS: readonly Constraint[] = [
  {
    name: 'isLength',
    decorator: 'Length',
    kinds,
    taken: { minLength: least, maxLength: { argument: 1, map: 'most' } },
    checkedAsListed: true,
  },
  { name: 'minLength', decorator: 'MinLength', kinds, taken: { minLength: least }, checkedAsListed: true },
  { name: 'maxLength', decorator: 'MaxLength', kinds, taken: { maxLength: most }, checkedAsListed: true },
];

const CONTENTS: readonly Constraint[] = [
  { ...pattern('isAlpha', 'IsAlpha', '^[A-Za-z]+$'), bareOnly: true },
  { ...pattern('isAlphanumeric', 'IsAlphanumeric', '^[0-9A-Za-z]+$'), bareOnly: true },
  pattern('isAscii', 'IsAscii', '^[\\x00-\\x7F]+$'),
  pattern('isHexadecimal', 'IsHexadecimal', '^(0[xXhH])?[0-9A-Fa-f]+$'),
  pattern('isMilitaryTime', 'IsMilitaryTime', '^([01]\\d|2[0-3]):?([0-5]\\d)$'),
  pattern('isMongoId', 'IsMongoId', '^([0-9A-Fa-f]{24}|0[xXhH][0-9A-Fa-f]{22})$'),
  { ...pattern('isNumberString', 'IsNumberString', '^[+-]?([0-9]*[.])?[0-9]+$'), bareOnly: true },
  { name: 'isBooleanString', decorator: 'IsBooleanString', kinds, fixed: { enum: ['true', 'false', '1', '0'] } },
  {
    name: 'matches',
    decorator: 'Matches',
    kinds,
    taken: { pattern: { argument: 0, map: 'expression' } },
    interpret: ([expression, flags]) => interpretExpression(expression, flags),
  },
  {
    name: 'contains',
    decorator: 'Contains',
    kinds,
    interpret: ([seed]) => interpretSeed(seed, (source) => patternMeaning(source)),
    oneWay: true,
  },
  {
    name: 'notContains',
    decorator: 'NotContains',
    kinds,
    interpret: ([seed]) => interpretSeed(seed, (source) => ({ keywords: { not: { pattern: source } } })),
    oneWay: true,
  },
];

const FORMATS: readonly Constraint[] = [
  { ...worded('isEmail', 'IsEmail', 'email', 'an e-mail address'), format: 'email' },
  annotated('isUuid', 'IsUUID', { format: 'uuid' }),
  worded('isUrl', 'IsUrl', 'uri', 'a URL'),
  worded('isFqdn', 'IsFQDN', 'hostname', 'a domain name'),
  {
    name: 'isIp',
    decorator: 'IsIP',
    kinds,
    taken: { format: { argument: 0, map: 'ipVersion' } },
    interpret: ([version]) => interpretIp(String(version)),
  },
  dated('isIso8601', 'IsISO8601'),
  { ...dated('isDateString', 'IsDateString'), oneWay: true },
  { ...dated('isRFC3339', 'IsRFC3339', 'a date and time: 2026-01-31T12:00:00Z'), oneWay: true },
  annotated('isJson', 'IsJSON', { contentMediaType: 'application/json' }),
  annotated('isBase64', 'IsBase64', { contentEncoding: 'base64' }),
  annotated('isBase32', 'IsBase32', { contentEncoding: 'base32' }),
];

/** Checks of one kind of text each, for which JSON Schema has no word, by their decorators. */
const UNLISTED = [
  'IsBIC', 'IsBase58', 'IsBtcAddress', 'IsByteLength', 'IsCreditCard', 'IsCurrency', 'IsDataURI', 'IsDecimal', 'IsEAN', 'IsEthereumAddress',
  'IsFirebasePushId', 'IsFullWidth', 'IsHSL', 'IsHalfWidth', 'IsHash', 'IsHexColor', 'IsIBAN', 'IsISBN', 'IsISO31661Alpha2',
  'IsISO31661Alpha3', 'IsISO31661Numeric', 'IsISO4217CurrencyCode', 'IsISO6391', 'IsISIN', 'IsISRC', 'IsISSN', 'IsIdentityCard', 'IsJWT',
  'IsLatLong', 'IsLocale', 'IsLowercase', 'IsMACAddress', 'IsMagnetURI', 'IsMimeType', 'IsMobilePhone', 'IsMultibyte', 'IsOctal',
  'IsPassportNumber', 'IsPhoneNumber', 'IsPort', 'IsPostalCode', 'IsRgbColor', 'IsSemVer', 'IsStrongPassword', 'IsSurrogatePair',
  'IsTaxId', 'IsTimeZone', 'IsUppercase', 'IsVariableWidth',
]; // prettier-ignore

/** The names of constraints that are not those of their decorators in lower camel case. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['IsFirebasePushId', 'IsFirebasePushId'],
  ['IsISBN', 'isIsbn'],
  ['IsISIN', 'isIsin'],
  ['IsJWT', 'isJwt'],
  ['IsMACAddress', 'isMacAddress'],
]);

/** The string part of the table. */
export const STRING_CONSTRAINTS: readonly Constraint[] = [
  ...LENGTHS,
  ...CONTENTS,
  ...FORMATS,
  ...UNLISTED.map((decorator) => ({
    name: NAMES.get(decorator) ?? decorator.charAt(0).toLowerCase() + decorator.slice(1),
    decorator,
    kinds,
    marks: { stricter: true } as const,
    oneWay: true as const,
  })),
];

/** class-validator accepts an IPv6 address with a zone, which the format does not. */
function interpretIp(version: string): Meaning {
  if (version === '4') return { kinds, stricter: true, keywords: { format: 'ipv4' } };
  return { kinds, stricter: true, loose: version === '6' ? 'an IPv6 address' : 'an IP address' };
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

/** What a pattern says, and the check that says the same. */
function patternMeaning(source: string): Meaning {
  const expression = new RegExp(source, 'u');
  return { keywords: { pattern: source }, checkedBy: (value) => typeof value === 'string' && expression.test(value) };
}

function interpretSeed(seed: unknown, meaningOf: (source: string) => Meaning): Meaning {
  // class-validator's answer for an empty seed is not what a pattern would say, and half a character has no pattern.
  if (typeof seed !== 'string' || seed === '' || loneSurrogate.test(seed)) return { kinds, stricter: true };
  return { kinds, ...meaningOf(seed.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')) };
}
