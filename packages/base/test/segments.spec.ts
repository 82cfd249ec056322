/** Segments of texts of any script and length: what is cut, and how much work that is. */
import fc from 'fast-check';
import { segmentsOf } from '../src/values/segments';

const KINDS = (['word', 'grapheme'] as const).map((granularity) => new Intl.Segmenter('en', { granularity }));

/** The texts that were given to a segmenter. */
let segmented: string[];

beforeEach(() => {
  segmented = [];
  const segment = Intl.Segmenter.prototype.segment;
  jest.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (this: Intl.Segmenter, text) {
    segmented.push(text);
    return segment.call(this, text);
  });
});
afterEach(() => jest.restoreAllMocks());

/** What a segmenter reads at most at once: it keeps a copy of its text for each word. */
const LONGEST = 65;
const SCRIPTS = {
  Han: '漢字',
  Hiragana: 'ひらがな',
  Katakana: 'カタカナ',
  Thai: 'สวัสดีครับ',
  Khmer: 'សួស្តី',
  Lao: 'ສະບາຍດີ',
  'Han outside of the basic plane': '𠀀𠀁',
  'marks on one letter': `ก${'\u0e48'.repeat(9)}`,
  'Latin and Han': 'invoice請求書',
  'halves of pairs': '漢\ud840',
};

describe.each(KINDS.map((segmenter) => [segmenter.resolvedOptions().granularity, segmenter] as const))(
  'by %s',
  (_granularity, segmenter) => {
    it.each(Object.entries(SCRIPTS))('segments %s piece by piece', (_script, text) => {
      const segments = segmentsOf(text.repeat(2000), segmenter);
      expect(segments.join('')).toBe(text.repeat(2000));
      expect(Math.max(...segmented.map(({ length }) => length))).toBeLessThanOrEqual(LONGEST);
      const read = segmented.reduce((sum, { length }) => sum + length, 0);
      expect(read).toBeLessThanOrEqual(3 * text.length * 2000);
    });

    it('finds what it finds in a short text, halves no pair, and loses nothing', () => {
      const letters = fc.constantFrom(
        '漢',
        '字',
        'か',
        'カ',
        'ส',
        'วั',
        'ດີ',
        'ស្តី',
        '𠀀',
        'a',
        ' ',
        'e\u0301',
        '👍🏽',
        '1',
      );
      const texts = fc.array(letters, { minLength: 1, maxLength: 300 }).map((each) => each.join(''));
      fc.assert(
        fc.property(texts, (text) => {
          segmented = [];
          const found = segmentsOf(text, segmenter);
          expect(found.join('')).toBe(text);
          for (const piece of segmented) expect(piece).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
          const whole = [...segmenter.segment(text)].map(({ segment }) => segment);
          if (text.length <= 64 || segmenter.resolvedOptions().granularity === 'grapheme') expect(found).toEqual(whole);
        }),
      );
    });
  },
);
