/** The pictures of the guides are drawn as their texts say. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { callScript } from '../../judges/scripts/call-script';

const root = join(__dirname, '..', '..', '..');
const draw = (text: string): string => callScript('docs/draw-picture.mjs', 'drawPicture', text) as string;

it('are those of docs/pictures', () => {
  const { status, stderr } = spawnSync(process.execPath, [join('scripts', 'draw-pictures.mjs'), '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([stderr, status]).toEqual(['', 0]);
});

it('have the title, each lane, and what goes from one to another', () => {
  const svg = draw('kind: sequence\ntitle: Two & three\nlanes: one | other\n\none -> other: a <word>\nother: thinks');
  expect(svg).toMatch(
    /^<svg .*<title>Two &amp; three<\/title>.*>one<\/text>.*>other<\/text>.*>a &lt;word><\/text>.*>thinks<\/text>.*<\/svg>\n$/s,
  );
});

it('have stages in their order, each within the one before', () => {
  const widths = [
    ...draw('kind: stages\ntitle: Three\n\nfirst | a note\nsecond\nthird').matchAll(
      /<rect x="[\d.]+".* width="([\d.]+)"/g,
    ),
  ].map(([, width]) => Number(width));
  expect(widths).toHaveLength(3);
  expect(widths).toEqual([...widths].sort((one, other) => other - one));
});
