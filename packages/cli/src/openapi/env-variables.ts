/** The variables of an API in `.env.example`, which `sigil install` asks for. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiChange } from './api-change';

/** Adds those that are missing, commented out; undefined if none is. */
export function withVariables(
  folder: string,
  variables: readonly (readonly [name: string, purpose: string])[],
): ApiChange | undefined {
  const path = join(folder, '.env.example');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const missing = variables.filter(([name]) => !new RegExp(`^#?\\s*${name}=`, 'm').test(before ?? ''));
  if (missing.length === 0) return undefined;
  const lines = missing.map(
    ([name, purpose]) => `# ${purpose.charAt(0).toUpperCase()}${purpose.slice(1)}.\n#${name}=\n`,
  );
  const start = before === undefined || before === '' ? '' : `${before.trimEnd()}\n\n`;
  return { path, text: `${start}${lines.join('')}`, before };
}
