/** What publint and attw have to say of tarballs, as JSON: a process of its own, because both are modules that jest does not load. */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The jest preset is a setting that jest reads; nobody imports it, so it has no types. */
const excludeEntrypoints = ['./jest-preset', './jest-preset.js'];

const found = {};
for (const path of process.argv.slice(2)) {
  const data = readFileSync(path);
  const { messages, pkg } = await publint({ pack: { tarball: Uint8Array.from(data).buffer }, strict: true });
  const { types, problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(data)), {
    excludeEntrypoints,
  });
  // In every resolution that TypeScript has, that of older projects (node10) included.
  found[path] = {
    publint: messages.map((message) => formatMessage(message, pkg)),
    attw: types === false ? ['It has no types.'] : problems,
  };
}
process.stdout.write(JSON.stringify(found));
