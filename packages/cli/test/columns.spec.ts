/** Text and tables at the width of a terminal. */
import * as fc from 'fast-check';
import { columns } from '../src/terminal/columns';
import { progressBar } from '../src/terminal/status-line';
import { stylesFor } from '../src/terminal/styles';
import { wrapFor, wrapText, graphemes, padTo, widthOf } from '../src/terminal/wrap-text';

const cells = (...texts: string[]): { text: string }[] => texts.map((text) => ({ text }));

it('wraps the last column under itself', () => {
  const rows = [cells('city', 'string', 'City name, for example Oslo'), cells('days', 'integer', 'How many')];
  expect(columns(rows, { width: 40, indent: 2 })).toEqual([
    '  city  string   City name, for example',
    '                 Oslo',
    '  days  integer  How many',
  ]);
});

it('puts the last column below where no room is left for it', () => {
  const rows = [cells('latitude', 'number', 'Degrees north of the equator')];
  expect(columns(rows, { width: 30, indent: 0 })).toEqual([
    'latitude  number',
    '    Degrees north of the',
    '    equator',
  ]);
});

it('puts the last column of a row below where one of its words fits in no other place', () => {
  const rows = [
    cells('city', 'string', 'See https://example.com/cities'),
    cells('days', 'integer', 'How many'),
    cells('text', 'string', `Not ${'x'.repeat(50)}`),
  ];
  expect(columns(rows, { width: 40, indent: 0 })).toEqual([
    'city  string',
    '    See https://example.com/cities',
    'days  integer  How many',
    'text  string   Not',
    `               ${'x'.repeat(25)}`,
    `               ${'x'.repeat(25)}`,
  ]);
});

it('gives a column the width of its longest word, and wraps what has more of them', () => {
  const rows = [
    cells('contactMethodOfTheMember', '"phone" | "letter" | null', 'How to reach them'),
    cells('id', 'integer', 'Which'),
  ];
  expect(columns(rows, { width: 72, indent: 0 })).toEqual([
    'contactMethodOfTheMember  "phone" | "letter"  How to reach them',
    '                          | null',
    'id                        integer             Which',
  ]);
  expect(columns(rows, { width: 50, indent: 0 })).toEqual([
    'contactMethodOfTheMember  "phone" |',
    '                          "letter" |',
    '                          null',
    '    How to reach them',
    'id                        integer',
    '    Which',
  ]);
});

it('puts every cell below the one before where not even their words fit beside each other', () => {
  const rows = [cells('contactMethodOfTheMember', '"phone" | null', 'How to reach them'), cells('id', 'integer', '')];
  expect(columns(rows, { width: 26, indent: 1 })).toEqual([
    ' contactMethodOfTheMember',
    '     "phone" | null',
    '     How to reach them',
    ' id',
    '     integer',
  ]);
});

it('cuts no word that fits in a line', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '日'), minLength: 1, maxLength: 30 });
  const cell = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1 }),
      fc.integer({ min: 66, max: 120 }),
      (table, width) => {
        const lines = columns(
          table.map((row) => cells(...row)),
          { width, indent: 2 },
        );
        const written = new Set(lines.flatMap((line) => line.split(/ +/)));
        const words = table.flat().flatMap((text) => text.split(' '));
        expect(words.filter((one) => !written.has(one))).toEqual([]);
        expect(lines.filter((line) => widthOf(line) > width)).toEqual([]);
      },
    ),
  );
});

it('leaves out a column in which nothing stands', () => {
  expect(columns([cells('a', '', 'text')], { width: 60, indent: 0 })).toEqual(['a  text']);
});

it('writes no line that is wider than the terminal', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 2, max: 80 }), (texts, width) => {
      for (const line of wrapText(texts.join(' '), width)) {
        const [first = '', ...more] = graphemes(line);
        // What cannot be cut any further may be wider than the terminal itself.
        const widest = more.length === 0 ? Math.max(width, widthOf(first)) : width;
        expect(widthOf(line)).toBeLessThanOrEqual(widest);
      }
    }),
  );
});

it.each([
  ['plain', 5],
  ['\u001b[1mbold\u001b[22m', 4],
  ['日本', 4],
  ['ｆｕｌｌ', 8],
  ['ﾊﾟ', 2],
  ['한', 2],
  ['\u1112\u1161\u11ab', 2],
  ['𠮷', 2],
  ['e\u0301', 1],
  ['か\u3099', 2],
  ['y̆̃', 1],
  ['\u200b', 0],
  ['กำ', 2],
  ['👍', 2],
  ['👍🏽', 2],
  ['👨‍👩‍👧‍👦', 2],
  ['🇳🇴', 2],
  ['❤️', 2],
  ['❤', 1],
  ['1️⃣', 2],
  ['™', 1],
  ['…', 1],
  ['░', 1],
])('knows how many cells %s takes', (text, width) => {
  expect(widthOf(text)).toBe(width);
  expect(widthOf(padTo(text, 10))).toBe(10);
});

it('cuts no grapheme in two', () => {
  expect(wrapText('🇳🇴🇸🇪🇫🇮', 4)).toEqual(['🇳🇴🇸🇪', '🇫🇮']);
  expect(wrapText('éé'.normalize('NFD'), 1)).toEqual(['é', 'é'].map((one) => one.normalize('NFD')));
  const bar = progressBar({ progress: 1, message: '👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦' }, 9, stylesFor({}, {}));
  expect(bar).toBe('… 1  👨‍👩‍👧‍👦…');
});

it('keeps columns straight with characters of any width', () => {
  const rows = [cells('👨‍👩‍👧‍👦', 'a'), cells('日本', 'b'), cells('e\u0301', 'c'), cells('plain', 'd')];
  const lines = columns(rows, { width: 60, indent: 0 });
  expect(lines.map((line) => widthOf(line.slice(0, -1)))).toEqual([7, 7, 7, 7]);
});

it('wraps sentences for a terminal, and neither code nor what is read by a program', () => {
  const { dim } = stylesFor({ isTTY: true }, { TERM: 'xterm' });
  const code = `${dim('    3 |')} const much = 'more than fits';`;
  const text = `src/a.ts:3:7 This is wrong.\n${code}`;
  expect(wrapFor({ isTTY: true, columns: 15 }, text)).toBe(`src/a.ts:3:7\nThis is wrong.\n${code}`);
  expect(wrapFor({ isTTY: false, columns: 15 }, text)).toBe(text);
  expect(wrapFor({}, text)).toBe(text);
});

it('measures a text of a server in work that grows with its length', () => {
  const lengths: number[] = [];
  const segment = Intl.Segmenter.prototype.segment;
  const spy = jest.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (this: Intl.Segmenter, text) {
    lengths.push(text.length);
    return segment.call(this, text);
  });
  expect(widthOf('漢é'.repeat(20_000))).toBe(60_000);
  spy.mockRestore();
  expect(Math.max(...lengths)).toBeLessThan(100);
  expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(3 * 40_000);
});
