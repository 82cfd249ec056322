/** What runs in pages: each of these files is bundled separately, with all that it imports, because a page loads no packages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { readManifest } from './libraries.mjs';

/**
 * Package -> its files for pages: `source` in the package, `file` in `dist`, and how it is written. `define` is the name under which
 * sources of the package have the text.
 */
const PAGES = {
  apps: [
    // What authors import who bundle their pages. Their bundler makes it small.
    { source: 'src/view/index.ts', file: 'view/index.js', format: 'cjs', platform: 'node' },
    { source: 'src/view/page-script.ts', file: 'view/page-script.js', minify: true, define: 'SIGIL_VIEW_SCRIPT' },
  ],
  // With the official host, so that a test needs neither it nor a bundler.
  testing: [{ source: 'page/view-host.mjs', file: 'view/view-host.js', minify: true }],
};

/** Whether an export of a package is for pages. */
export function isPage(name, entry) {
  return (PAGES[name] ?? []).some(({ file }) => file === `${entry}.js`);
}

/** Bundles the files for pages: `files` by their names in `dist`, and what the sources of the package define. */
export async function bundlePages(folder, name) {
  const files = await Promise.all(
    (PAGES[name] ?? []).map(async ({ source, file, define, ...options }) => {
      const { outputFiles, metafile } = await build({
        absWorkingDir: folder,
        entryPoints: [join(folder, source)],
        bundle: true,
        write: false,
        logLevel: 'warning',
        format: 'iife',
        target: 'es2022',
        tsconfigRaw: {},
        metafile: true,
        ...options,
      });
      return { file, define, text: outputFiles[0].text, licences: licencesOf(folder, metafile) };
    }),
  );
  const defined = files.filter(({ define }) => define !== undefined);
  return {
    files: files.flatMap(({ file, text, licences }) => [
      [file, text],
      ...(licences === '' ? [] : [[file.replace(/\.js$/, '.licences.txt'), licences]]),
    ]),
    define: Object.fromEntries(defined.map(({ define, text }) => [define, JSON.stringify(text.trimEnd())])),
  };
}

/** The licences of the packages that a bundle has code of. */
function licencesOf(folder, { outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const sources = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  const inside = sources.map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const packages = [...new Set(inside.filter((path) => path !== undefined))].sort();
  return packages.map((path) => licenceOf(join(folder, path))).join(`\n${'='.repeat(80)}\n\n`);
}

/** The licence of a package: its text or, if the package has none, its name in the manifest. */
function licenceOf(folder) {
  const { name, version, license } = readManifest(folder);
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? license : readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version}\n\n${text}\n`;
}
