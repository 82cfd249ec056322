/**
 * The one place that knows where the official schemas are: in the folder that MCP_SCHEMA_DIR names, else where `npm run schemas`
 * puts them. They are not ours to ship.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folder, revisions } from './official-schemas.json';

const root = join(__dirname, '..', '..', '..');

/**
 * Revision -> the file of its schema; undefined where there are none.
 * @param kept where `npm run schemas` puts them
 * @throws Error where MCP_SCHEMA_DIR names a folder without any, or some of them are missing
 */
export function findOfficialSchemas(kept = join(root, folder)): ReadonlyMap<string, string> | undefined {
  const named = process.env['MCP_SCHEMA_DIR'];
  const place = named ? resolve(root, named) : kept;
  const files = revisions.map(({ version }) => [version, join(place, version, 'schema.json')] as const);
  const missing = files.filter(([, file]) => !existsSync(file)).map(([version]) => version);
  if (missing.length === 0) return new Map(files);
  if (missing.length < files.length)
    throw new Error(
      `${place} has no schema of ${missing.join(', ')}: run npm run schemas${named ? ` -- --to ${place}` : ' again'}.`,
    );
  if (!named) return undefined;
  throw new Error(`MCP_SCHEMA_DIR is ${JSON.stringify(named)}, where there is no <revision>/schema.json.`);
}
