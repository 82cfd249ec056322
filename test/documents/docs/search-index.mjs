/** The search of the built site, without a browser: the same index, with the same options. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { miniSearch } from '../../../docs/.vitepress/search.mjs';

/** The addresses of the pages that are found for each of the words, best first. */
export async function search(dist, words) {
  const chunks = join(dist, 'assets', 'chunks');
  const name = readdirSync(chunks).find((each) => each.startsWith('@localSearchIndex'));
  // Node would take a file that ends with .js for CommonJS here.
  const text = readFileSync(join(chunks, name)).toString('base64');
  const { default: json } = await import(`data:text/javascript;base64,${text}`);
  const index = MiniSearch.loadJSON(json, { ...miniSearch.options, searchOptions: miniSearch.searchOptions });
  return words.map((word) => [...new Set(index.search(word).map(({ id }) => id.replace(/#.*$/, '')))].slice(0, 3));
}
