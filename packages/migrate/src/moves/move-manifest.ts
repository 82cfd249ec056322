/** The dependencies of a moved project, in its `package.json`. */
import { applyEdits, modify } from 'jsonc-parser';
import { subset, validRange } from 'semver';
import { isObject } from '@sigil-mcp/base';
import type { Source } from '../sources/source';

/** What the new packages need: a range that is not within it is replaced. */
const NEEDED: Readonly<Record<string, string>> = {
  'class-transformer': '^0.5.1',
  'class-validator': '^0.15.1',
  'reflect-metadata': '^0.2.2',
};

/** The first zod that writes JSON Schema. */
const ZOD = '^4.2.0';

/** What the sources say of dependencies. */
export interface UsedPackages {
  /** The texts of all sources, when they are moved. */
  readonly sources: readonly string[];
  /** The version of the new packages. */
  readonly version: string;
  /** The package that is left. */
  readonly from: Source;
}

/** @returns the text with its dependencies changed; as it was if it is no object */
export function moveManifest(text: string, { sources, version, from }: UsedPackages): string {
  const uses = (name: string): boolean =>
    sources.some((source) => source.includes(`'${name}`) || source.includes(`"${name}`));
  let result = text;
  for (const name of [from.package, ...from.companions].filter((each) => !uses(each))) result = without(result, name);
  for (const name of ['@sigil-mcp/core', '@sigil-mcp/nest']) result = withDependency(result, name, `^${version}`);
  for (const [name, range] of Object.entries(NEEDED)) result = atLeast(result, name, range);
  return uses('zod') ? atLeast(result, 'zod', ZOD) : result;
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies'] as const;

function sectionOf(text: string, name: string): Readonly<Record<string, unknown>> {
  const manifest: unknown = JSON.parse(text);
  const section = isObject(manifest) ? manifest[name] : undefined;
  return isObject(section) ? section : {};
}

function without(text: string, name: string): string {
  return SECTIONS.reduce(
    (result, section) => (name in sectionOf(result, section) ? change(result, [section, name], undefined) : result),
    text,
  );
}

function withDependency(text: string, name: string, range: string): string {
  return name in sectionOf(text, 'dependencies') ? text : change(text, ['dependencies', name], range);
}

/** Sets a range, unless every version of the present one is within it. */
function atLeast(text: string, name: string, needed: string): string {
  const section = SECTIONS.find((each) => name in sectionOf(text, each)) ?? 'dependencies';
  const now = sectionOf(text, section)[name];
  const isEnough = typeof now === 'string' && (validRange(now) === null || subset(now, needed));
  return isEnough ? text : change(text, [section, name], needed);
}

/** Keeps the rest of the text as it is, and the order of names that were sorted. */
function change(text: string, path: readonly [string, string], value: string | undefined): string {
  const names = Object.keys(sectionOf(text, path[0]));
  const isSorted = names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name);
  const before = names.findIndex((name) => name > path[1]);
  const insertSpaces = !/^\t/m.test(text);
  const tabSize = /^( +)"/m.exec(text)?.[1]?.length ?? 2;
  const edits = modify(text, [...path], value, {
    formattingOptions: { insertSpaces, tabSize, eol: text.includes('\r\n') ? '\r\n' : '\n' },
    getInsertionIndex: (properties) => (isSorted && before !== -1 ? before : properties.length),
  });
  return applyEdits(text, edits);
}
