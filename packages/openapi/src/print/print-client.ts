/** The files of an API that do not depend on its operations: client, settings, parameters, and the tests of the client. */
import { dirname, join } from 'node:path';
import { literals, FILE_TYPES, readTemplates } from '@sigil-mcp/cli/kit';
import type { ApiNames } from './api-names';
import type { PrintedCredentials } from './print-credentials';
import type { PrintedFile } from './print-files';

/** The folder of the templates, at the top of this package. */
const TEMPLATES = join(dirname(require.resolve('@sigil-mcp/openapi/package.json')), 'templates');

/** Files for the folder of the API, and for the folder of tests. */
export interface ClientFiles {
  readonly source: readonly PrintedFile[];
  readonly tests: readonly PrintedFile[];
}

/**
 * Prints them.
 * @param ways how a file of the tests imports one of the API's folder, and how the tests are called (`spec`)
 */
export function printClient(
  names: ApiNames,
  credentials: PrintedCredentials,
  { way, ending }: { readonly way: string; readonly ending: string },
): ClientFiles {
  const { slug, pascal, title, js } = names;
  const words = {
    ...{ Api: pascal, api: slug, title, js },
    variables: credentials.variables.map(([name]) => name).join(', '),
    read: credentials.code,
    types: literals.literal(FILE_TYPES),
  };
  const files = readTemplates([TEMPLATES], { words, flags: {} });
  const textOf = (path: string): string => {
    const text = files.find((file) => file.path === path)?.text;
    return typeof text === 'string' ? text : '';
  };
  return {
    source: [
      { path: `${slug}-client.ts`, text: textOf('src/client.ts') },
      { path: `${slug}-settings.ts`, text: textOf('src/settings.ts') },
      { path: 'parameters.ts', text: textOf('src/parameters.ts') },
    ],
    tests: [
      { path: `fake-${slug}-api.ts`, text: textOf('test/fake-api.ts') },
      { path: `${slug}-client.${ending}.ts`, text: textOf('test/client.spec.ts').replaceAll(`../src/${slug}`, way) },
    ],
  };
}
