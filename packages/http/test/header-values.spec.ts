/** Header values, plain and in Base64, as clients write them and as attackers would. */
import fc from 'fast-check';
import { cpuGrowth } from '../../../test/support/cpu-growth';
import { decodeHeaderValue, LONGEST_HEADER_VALUE, readHeaderValue } from '../src/checks/mirrored-headers';

const wrap = (text: string): string => `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;

/** The rules of the specification for clients. */
function encode(text: string): string {
  const isPlain = /^[\t\x20-\x7e]*$/.test(text) && text === text.trim();
  return isPlain && !(text.startsWith('=?base64?') && text.endsWith('?=')) ? text : wrap(text);
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ maxLength: 200 }),
  fc.constantFrom('', ' ', '\t', '=?base64?', '?=', '=?base64??=', '=?base64?=', '\uFEFFmark', 'a\r\nb', '\0'),
  fc.string().map((inner) => `=?base64?${inner}?=`),
);

describe('header values', () => {
  it('come out as they went in, whatever the text [HTTP-032]', () => {
    fc.assert(fc.property(anyText, (text) => expect(decodeHeaderValue(encode(text))).toBe(text)));
    fc.assert(fc.property(anyText, (text) => expect(decodeHeaderValue(wrap(text))).toBe(text)));
  });

  it('are decoded as the examples of the specification say [HTTP-032]', () => {
    const examples = {
      'us-west1': 'us-west1',
      '=?base64?SGVsbG8sIOS4lueVjA==?=': 'Hello, 世界',
      '=?base64?IHBhZGRlZCA=?=': ' padded ',
      '=?base64?bGluZTEKbGluZTI=?=': 'line1\nline2',
      '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=': '=?base64?literal?=',
    };
    for (const [raw, text] of Object.entries(examples)) expect(decodeHeaderValue(raw)).toBe(text);
  });

  it('are literal where one end of the mark is missing or in another case [HTTP-032]', () => {
    const literal = [
      'SGVsbG8=',
      '=?base64?SGVsbG8=',
      'SGVsbG8=?=',
      '=?BASE64?SGVsbG8=?=',
      '=?Base64?SGVsbG8=?=',
      '=?base64?=',
      '?=',
    ];
    for (const raw of literal) expect(decodeHeaderValue(raw)).toBe(raw);
  });

  it('lose the white space around them, and keep that within [HTTP-038]', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: fc.constantFrom(' ', '\t') }), (text, space) => {
        expect(decodeHeaderValue(`${space}${encode(text)}${space}`)).toBe(text);
      }),
    );
    expect(readHeaderValue(' \tus west 1\t ')).toBe('us west 1');
  });

  it('are refused where Base64 or UTF-8 is broken [HTTP-034]', () => {
    const broken = [
      'SGVsbG8', // no padding
      'SGVsbG8==', // too much
      'SGVs!!!bG8=', // foreign characters
      'SGVs bG8=', // white space within
      'SGVsbG9=', // stray bits: another encoder's text for the same bytes
      '-_-_', // the alphabet of URLs
      'SGVs=bG8', // padding within
      '=',
      '/w==', // FF is no UTF-8
      '4pyg4p'.padEnd(8, '='), // cut off within a character
      '7aCA', // a surrogate half
      'wIA=', // overlong
      'SGVsbG8=?=, =?base64?SGVsbG8=', // sent twice, joined by Node
    ];
    for (const base64 of broken) expect(decodeHeaderValue(`=?base64?${base64}?=`)).toBeUndefined();
  });

  it('are refused where they hold what a header must not [HTTP-034]', () => {
    for (const raw of ['Région', 'a\rb', 'a\nb', 'a\0b', 'a\x7fb', '日本', '\u00a0a']) {
      expect(decodeHeaderValue(raw)).toBeUndefined();
      expect(readHeaderValue(raw)).toBeUndefined();
    }
  });

  it('never throw, and have one form in Base64 only', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'SGVsbG8=+/-_! ?') }), (base64) => {
        const text = decodeHeaderValue(`=?base64?${base64}?=`);
        if (text !== undefined) expect(wrap(text)).toBe(`=?base64?${base64}?=`);
      }),
    );
  });

  it('are refused without decoding if they are too long [SEC-009]', () => {
    const longest = 'a'.repeat(LONGEST_HEADER_VALUE);
    expect(decodeHeaderValue(longest)).toBe(longest);
    expect(decodeHeaderValue(`${longest}a`)).toBeUndefined();
    const decoding = jest.spyOn(Buffer, 'from');
    expect(decodeHeaderValue(`=?base64?${'QUJD'.repeat(LONGEST_HEADER_VALUE / 4)}?=`)).toBeUndefined();
    expect(decoding).not.toHaveBeenCalled();
    decoding.mockRestore();
  });

  it('of spaces only are read in linear time', () => {
    const read = (spaces: number): unknown => readHeaderValue(`a${' '.repeat(spaces)}b`);
    expect(cpuGrowth(read, LONGEST_HEADER_VALUE / 32, LONGEST_HEADER_VALUE - 2)).toBeLessThan(8);
  });
});
