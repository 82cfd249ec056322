/** Whoever copies a client of Redis from a page, a README, an example or a docstring gets one that survives a lost connection. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const READ = /^(docs\/.*\.md|[^/]*\.md|(apps|packages)\/[^/]+\/(README\.md|src\/.*\.ts|templates\/.*\.template))$/;
const SKIPPED = /(^|\/)(node_modules|dist|\.vitepress)(\/|$)/;

/** What can be copied from a text: the blocks of a page; a source, and each of its docstrings. */
function piecesOf(path: string, text: string): string[] {
  if (path.endsWith('.md')) return [...text.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  return [text, ...[...text.matchAll(/\/\*\*[^]*?\*\//g)].map(([comment]) => comment)];
}

/** What a client of node-redis lacks in a piece; nothing if there is none. */
function lacksOf(piece: string): string[] {
  if (!/\bcreate(Client|Cluster)\(\s*\{/.test(piece)) return [];
  return [".on('error'", 'disableOfflineQueue: true', 'pingInterval:'].filter((words) => !piece.includes(words));
}

it('finds a client without a listener for errors, and one that lets commands wait', () => {
  expect(lacksOf('const client = await createClient({ url }).connect();')).toHaveLength(3);
  expect(lacksOf("createCluster({ rootNodes }).on('error', log)")).toEqual([
    'disableOfflineQueue: true',
    'pingInterval:',
  ]);
  expect(lacksOf("createClient({ disableOfflineQueue: true, pingInterval: 5 }).on('error', log)")).toEqual([]);
  expect(lacksOf('await createClient<Api>({ url }); createClient(server)')).toEqual([]);
});

it('is so in every page, README, example, template and docstring', () => {
  const paths = ['docs', 'apps', 'packages', '.'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map((path) =>
      join(folder, path).replaceAll('\\', '/'),
    ),
  );
  const read = paths.filter((path) => READ.test(path) && !SKIPPED.test(path));
  const clients = read.flatMap((path) =>
    piecesOf(path, readFileSync(join(root, path), 'utf8')).map((piece) => [path, lacksOf(piece)] as const),
  );
  expect(clients.filter(([, lacks]) => lacks.length > 0)).toEqual([]);
  expect(read).toContain('docs/deployment.md');
});
