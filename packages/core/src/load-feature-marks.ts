/** Loads what knows the classes of features on demand: it needs `reflect-metadata` and class-validator, which adapters do not. */
import type * as CheckFeature from './scanner/check-feature';

/** The marks of a feature: whether a class has them, and how it gets them. */
export function loadFeatureMarks(): Pick<typeof CheckFeature, 'ensureFeature' | 'isFeatureClass'> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it for everybody
  return require('./scanner/check-feature') as typeof CheckFeature;
}
