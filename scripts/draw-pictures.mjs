/** `npm run pictures`: draws the texts of docs/pictures as SVG. `--check` only compares, and fails if a picture is not up to date. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawPicture } from './docs/draw-picture.mjs';

const folder = fileURLToPath(new URL('../docs/pictures', import.meta.url));
const texts = readdirSync(folder).filter((name) => name.endsWith('.txt'));
const stale = texts.flatMap((name) => {
  const file = join(folder, name.replace(/\.txt$/, '.svg'));
  const drawn = drawPicture(readFileSync(join(folder, name), 'utf8'));
  return existsSync(file) && readFileSync(file, 'utf8') === drawn ? [] : [{ name, file, drawn }];
});

if (stale.length === 0) {
  process.stdout.write('docs/pictures are up to date.\n');
} else if (process.argv.includes('--check')) {
  const names = stale.map(({ name }) => name).join(', ');
  process.stderr.write(`The pictures of ${names} are not up to date: run \`npm run pictures\` and commit them.\n`);
  process.exitCode = 1;
} else {
  for (const { file, drawn } of stale) writeFileSync(file, drawn);
  process.stdout.write(`${stale.length} pictures drawn.\n`);
}
