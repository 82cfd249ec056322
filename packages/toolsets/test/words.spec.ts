/** Words of texts of any script and length: what is cut, and how much work that is. */
import { wordsOf } from '../src/search/tool-index';

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

it.each(Object.entries(SCRIPTS))('segments %s piece by piece', (_script, text) => {
  const words = wordsOf(text.repeat(2000));
  expect(words.length).toBeGreaterThan(0);
  expect(Math.max(0, ...segmented.map(({ length }) => length))).toBeLessThanOrEqual(LONGEST);
  const read = segmented.reduce((sum, { length }) => sum + length, 0);
  expect(read).toBeLessThanOrEqual(3 * text.length * 2000);
});

it('finds the same words in a long text as in a short one', () => {
  const words = wordsOf('スワップの取引を開始する');
  const long = wordsOf('スワップの取引を開始する'.repeat(50));
  expect(new Set(long)).toEqual(new Set(words));
});
