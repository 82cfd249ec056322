/** Text and tables at the width of a terminal. */
import * as fc from 'fast-check';
import { columns } from '../src/terminal/columns';
import { plain } from '../src/terminal/plain-text';
import { stylesFor } from '../src/terminal/styles';
import { padTo, widthOf, wrapText } from '../src/terminal/wrap-text';

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
    'latitud  number',
    'e',
    '    Degrees north of the',
    '    equator',
  ]);
});

it('leaves out a column in which nothing stands', () => {
  expect(columns([cells('a', '', 'text')], { width: 60, indent: 0 })).toEqual(['a  text']);
});

it('writes no line that is wider than the terminal', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 2, max: 80 }), (texts, width) => {
      for (const line of wrapText(texts.join(' '), width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
    }),
  );
});

it('knows what takes two cells and what takes none', () => {
  expect(widthOf('日本')).toBe(4);
  expect(widthOf('e\u0301')).toBe(1);
  expect(widthOf('\u001b[1mbold\u001b[22m')).toBe(4);
  expect(padTo('日', 4)).toBe('日  ');
});

it('takes from a stranger no text that a terminal would obey', () => {
  expect(plain('a\u001b[2Jb c\u0007\u009b31md\r\ne\tf')).toBe('ab cd\ne\tf');
  expect(plain('\u001b]0;title\u0007x\u202e')).toBe('x');
});

it.each([
  ['a terminal', { isTTY: true }, {}, true],
  ['a terminal where NO_COLOR is set', { isTTY: true }, { NO_COLOR: '1' }, false],
  ['a terminal where NO_COLOR is empty', { isTTY: true }, { NO_COLOR: '' }, true],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
  ['a pipe', {}, {}, false],
])('decides about colours on %s', (_, stream, env, colored) => {
  expect(stylesFor(stream, env).bold('x')).toBe(colored ? '\u001b[1mx\u001b[22m' : 'x');
});
