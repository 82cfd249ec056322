/**
 * `npm run schemas`: downloads the official JSON schemas of all revisions into a folder where the tests find them.
 * They come from the specification's repository at pinned commits and are checked by their digests; existing schemas
 * are kept. `--from <url>` uses a mirror of the repository's files, `--to <folder>` sets another folder:
 * name that folder in MCP_SCHEMA_DIR.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { source, folder, revisions } = JSON.parse(
  readFileSync(join(root, 'test', 'support', 'supplies', 'official-schemas.json'), 'utf8'),
);
/** Milliseconds for each file. */
const PATIENCE = 30_000;

/** A message for the user in one sentence, without a stack trace. */
class FetchFailure extends Error {
  constructor(problem, outcome = 'Nothing was changed.') {
    super(`${problem} ${outcome}`);
  }
}

try {
  const { base, target } = readArguments(process.argv.slice(2));
  const missing = revisions.filter(({ version, sha256 }) => !isKept(join(target, version, 'schema.json'), sha256));
  // All or none: nothing is written before the last one has arrived.
  const fetched = await Promise.all(missing.map((revision) => fetchSchema(base, revision)));
  keepAll(missing.map(({ version }, index) => ({ place: join(target, version), bytes: fetched[index] })));
  const news = missing.length === 0 ? 'exist already' : `are complete, ${missing.length} of them new`;
  process.stdout.write(`The official schemas of ${revisions.length} revisions ${news}: ${target}\n`);
} catch (error) {
  if (!(error instanceof FetchFailure)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function readArguments(args) {
  try {
    const { values } = parseArgs({ args, options: { from: { type: 'string' }, to: { type: 'string' } } });
    const { from = source, to } = values;
    // npm runs scripts in the folder of the package; INIT_CWD is the folder of the user.
    const target = to === undefined ? join(root, folder) : resolve(process.env.INIT_CWD ?? process.cwd(), to);
    return { base: from.replace(/\/+$/, ''), target };
  } catch (error) {
    const problem = error.message.replace(/\.?$/, '.');
    throw new FetchFailure(`${problem} Use: npm run schemas -- --from <url> --to <folder>.`);
  }
}

async function fetchSchema(base, { version, commit, sha256 }) {
  const url = `${base}/${commit}/schema/${version}/schema.json`;
  const bytes = await download(url);
  if (digestOf(bytes) === sha256) return bytes;
  throw new FetchFailure(`${url} is not the schema of ${version} that the tests expect: its digest differs.`);
}

async function download(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.ok) return Buffer.from(await response.arrayBuffer());
    throw new FetchFailure(`${url} could not be fetched: the server answered ${response.status}.`);
  } catch (error) {
    if (error instanceof FetchFailure) throw error;
    const reason = error.cause?.code ?? error.cause?.message ?? error.message;
    throw new FetchFailure(`${url} could not be fetched (${reason}): check the network, then run the command again.`);
  }
}

function isKept(file, sha256) {
  try {
    return digestOf(readFileSync(file)) === sha256;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw new FetchFailure(`${file} cannot be read (${error.code}): it has to be a file, or not exist.`);
  }
}

function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Writes all files under temporary names before any gets its final name. */
function keepAll(schemas) {
  const undo = [];
  const parts = [];
  for (const { place, bytes } of schemas) {
    const part = join(place, `schema.json.${process.pid}`);
    try {
      const first = mkdirSync(place, { recursive: true });
      if (first !== undefined) undo.push(() => removeFolders(place, first));
      undo.push(() => rmSync(part, { force: true }));
      writeFileSync(part, bytes);
    } catch (error) {
      undo.reverse().forEach((step) => step());
      throw new FetchFailure(`${place} cannot be written (${error.code}): name another folder with --to.`);
    }
    parts.push({ part, file: join(place, 'schema.json') });
  }
  for (const { part, file } of parts) replace(part, file, parts);
}

function replace(part, file, parts) {
  try {
    renameSync(part, file);
  } catch (error) {
    for (const left of parts) rmSync(left.part, { force: true });
    const outcome = 'The existing files are complete: run the command again.';
    throw new FetchFailure(`${file} cannot be replaced (${error.code}).`, outcome);
  }
}

/** Removes folders from the innermost to the first that was created; folders that are not empty stay. */
function removeFolders(innermost, first) {
  try {
    for (let folder = innermost; folder.length >= first.length; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    return;
  }
}
