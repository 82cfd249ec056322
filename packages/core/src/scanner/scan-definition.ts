/** The features and modules of a server -> their classes, and the plans of their entries. */
import { featureSources } from './check-feature';
import { checkReferences, type References } from './check-references';
import type { EntryPlan } from '../kinds/all-kinds';
import type { FeatureSource } from '../kinds/entry-data';
import { flattenModules, type FlatModule } from './flatten-modules';
import type { Scan } from '../members/member';
import { scanFeatures } from './scan-features';

/** What `createServer` was given; what is no array of what it should be is reported. */
interface Definition extends References {
  readonly features?: unknown;
  readonly modules?: unknown;
}

/** A definition, read. */
export interface ScannedDefinition {
  /** All features, those of modules included. */
  readonly features: readonly FeatureSource[];
  readonly modules: readonly FlatModule[];
  readonly plans: readonly EntryPlan[];
}

/** Reads features and modules; reports every problem of them. */
export function scanDefinition(definition: Definition, scan: Scan): ScannedDefinition {
  const { features = [], modules = [] } = definition;
  checkReferences(definition, (list, index) => `createServer({ ${list} })[${index}]`, scan.report);
  const own = featureSources(features, scan.report);
  const flat = flattenModules(modules, scan.report);
  const plans = scanFeatures(own, scan, flat);
  return { features: [...own, ...flat.flatMap((module) => module.features)], modules: flat, plans };
}
