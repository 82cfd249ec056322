/** Checks the heads of built pages: each needs its own description, its address, and an existing picture. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readHeads } from './read-heads.mjs';

/**
 * @param dist the folder of the site
 * @param siteUrl where it is published, with a slash at the end
 * @returns the problems, a sentence each
 */
export function judgeHeads(dist, siteUrl) {
  const heads = readHeads(dist);
  return heads.flatMap(({ path, description, canonical, title, image }, index) => {
    const twin = heads.slice(0, index).find((other) => description && other.description === description);
    const address = siteUrl + path.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '');
    return [
      ...(description ? [] : [`${path} has no description.`]),
      ...(twin ? [`${path} has the same description as ${twin.path}: "${description}".`] : []),
      ...(canonical === address ? [] : [`${path} has the canonical address ${canonical}, not ${address}.`]),
      ...(title ? [] : [`${path} has no og:title.`]),
      ...(image?.startsWith(siteUrl) && existsSync(join(dist, image.slice(siteUrl.length)))
        ? []
        : [`${path} names the picture ${image}, which does not exist.`]),
    ];
  });
}
