/**
 * `npm run architecture`: writes the rooms of every package into docs/architecture.md, from the same data as the import
 * rules. `--check` only compares, and fails if the page is not up to date.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orderedFolders } from './rooms.cjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs', 'architecture.md');
const generated = /(<!-- rooms: .* -->\n)[\s\S]*?(<!-- \/rooms -->)/;

/** The order in which the packages depend on each other; other packages come last. */
const house = [
  'base',
  'protocol',
  'schema',
  'core',
  'http',
  'fastify',
  'nest',
  'redis',
  'oauth',
  'otel',
  'contract',
  'audit',
  'skills',
  'apps',
  'tasks',
  'results',
  'toolsets',
  'client',
  'testing',
  'cli',
  'create',
  'migrate',
  'openapi',
  'publish',
  'inspector',
];

const written = readFileSync(page, 'utf8');
if (!generated.test(written)) throw new Error('docs/architecture.md has no markers around its rooms.');
const drawn = written.replace(generated, (_, start, end) => `${start}\n${drawFolders()}\n${end}`);

if (drawn === written) {
  process.stdout.write('docs/architecture.md is up to date.\n');
} else if (process.argv.includes('--check')) {
  process.stderr.write('docs/architecture.md and rooms.json differ: run `npm run architecture` and commit the page.\n');
  process.exitCode = 1;
} else {
  writeFileSync(page, drawn);
  process.stdout.write('docs/architecture.md is written.\n');
}

function drawFolders() {
  const floor = ({ folder }) => {
    const found = house.indexOf(folder.split('/')[1]);
    return found === -1 ? house.length : found;
  };
  const folders = orderedFolders(root).sort((one, other) => floor(one) - floor(other));
  return folders.map(drawFolder).join('\n');
}

/** One table; the first line is the top layer. */
function drawFolder({ folder, rooms }) {
  const lines = rooms.map(({ room, holds }) => {
    if (!existsSync(join(root, folder, room))) throw new Error(`${folder} has no ${room}; see its rooms.json.`);
    return `| [\`${room}\`](../${folder}/${room}) | ${holds.replaceAll('|', '\\|')} |`;
  });
  return [`#### \`${folder}\``, '', '| folder or file | content |', '| --- | --- |', ...lines.reverse(), ''].join('\n');
}
