/** Files of the last run that no operation needs any more. They stay: whether they may go is for a person to say. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shownPath, type ReadProject } from '@sigil-mcp/cli/kit';
import type { CodeReader } from './merge/code-units';
import { WHOLE } from './merge/merge-file';
import type { FreshFile } from './merge/merge-files';
import { featureClass } from './plan/plan-features';
import type { FeaturePlan } from './plan/type-plan';
import type { ApiNames } from './print/api-names';
import type { ApiPlace } from './written-project';

/** A feature without operations. */
export interface LeftFeature {
  readonly slug: string;
  readonly className: string;
  /** Its paths below the project. */
  readonly files: readonly string[];
  /** Whether a person has changed it: then its tools stay, too. */
  readonly isEdited: boolean;
}

/** Where the files are. */
export interface LeftSource {
  readonly project: ReadProject;
  readonly place: ApiPlace;
  readonly names: ApiNames;
  readonly code: CodeReader;
}

/** The features of the last run without an operation, as far as their files are there. */
export function leftFeatures(source: LeftSource, features: readonly Pick<FeaturePlan, 'slug'>[]): LeftFeature[] {
  const { project, place, code } = source;
  const written = Object.keys(place.lock?.code ?? {});
  return written.flatMap((shown) => {
    const slug = slugOf(source, shown);
    const path = join(project.folder, shown);
    if (slug === undefined || features.some((each) => each.slug === slug) || !existsSync(path)) return [];
    const text = readFileSync(path, 'utf8');
    const isEdited = code.digestOf(text) !== place.lock?.code[shown]?.[WHOLE];
    const files = filesOf(source, slug).filter((each) => existsSync(join(project.folder, each)));
    return [{ slug, className: featureClass(slug), files, isEdited }];
  });
}

/** Every file of the last run that is not written any more, as it is. */
export function leftFiles({ project, place: { lock } }: LeftSource, fresh: readonly FreshFile[]): FreshFile[] {
  const known = new Set(fresh.map(({ shown }) => shown));
  const written = Object.keys(lock?.code ?? {}).filter((shown) => !known.has(shown));
  return written.flatMap((shown) => {
    const path = join(project.folder, shown);
    return existsSync(path) ? [{ path, shown, text: readFileSync(path, 'utf8'), stays: true }] : [];
  });
}

/** The feature in a file; undefined for other files. */
function slugOf({ project, place }: LeftSource, shown: string): string | undefined {
  const folder = `${shownPath(project.folder, place.folder)}/`;
  const ending = '.feature.ts';
  return shown.startsWith(folder) && shown.endsWith(ending) ? shown.slice(folder.length, -ending.length) : undefined;
}

function filesOf({ project, place, names }: LeftSource, slug: string): string[] {
  const { folder, tests, ending } = place;
  const paths = [
    join(folder, `${slug}.feature.ts`),
    join(folder, `${slug}.dto.ts`),
    join(tests, `${names.slug}-${slug}.${ending}.ts`),
  ];
  return paths.map((path) => shownPath(project.folder, path));
}
