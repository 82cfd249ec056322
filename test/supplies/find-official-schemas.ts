/**
 * The one place that knows where the official schemas are: in the folder that MCP_SCHEMA_DIR names, else where `npm run schemas`
 * puts them. They are not ours to ship.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { folder } from './official-schemas.json';

const root = join(__dirname, '..', '..');

/**
 * Revision -> the file of its schema; undefined where there are none.
 * @throws Error where MCP_SCHEMA_DIR names a folder without any
 */
export function findOfficialSchemas(): ReadonlyMap<string, string> | undefined {
  const named = process.env['MCP_SCHEMA_DIR'];
  const files = schemasIn(named ? resolve(root, named) : join(root, folder));
  if (files.size > 0) return files;
  if (!named) return undefined;
  throw new Error(`MCP_SCHEMA_DIR is ${JSON.stringify(named)}, where there is no <revision>/schema.json.`);
}

function schemasIn(place: string): ReadonlyMap<string, string> {
  const names = existsSync(place) ? readdirSync(place).sort() : [];
  const files = names.map((name) => [name, join(place, name, 'schema.json')] as const);
  return new Map(files.filter(([, file]) => existsSync(file)));
}
