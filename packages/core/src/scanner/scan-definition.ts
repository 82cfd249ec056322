/** The features and modules of a server -> their classes, and the plans of their entries. */
import { featureSources } from './check-feature';
import { checkReferences, type References } from './check-members';
import type { EntryPlan, FeatureSource } from '../kinds/all-kinds';
import { whereOf } from '../extensions/check-extensions';
import { flattenModules, type FlatModule } from './flatten-modules';
import type { Scan } from '../members/member';
import { PlannedEntries } from './planned-entries';
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

/** The features that extensions add to those that were given. */
function addedFeatures(given: readonly FeatureSource[], { extensions, report }: Scan): readonly FeatureSource[] {
  const definition = {
    classes: given.filter((feature) => typeof feature === 'function'),
    data: given.filter((feature) => typeof feature !== 'function'),
    report,
  };
  return extensions.flatMap((extension) =>
    extension.features ? featureSources(extension.features(definition), report, whereOf(extension)) : [],
  );
}

/** Reads features and modules; reports every problem of them. */
export function scanDefinition(definition: Definition, scan: Scan): ScannedDefinition {
  const { features = [], modules = [] } = definition;
  checkReferences(definition, (list, index) => `createServer({ ${list} })[${index}]`, scan.report);
  const own = featureSources(features, scan.report);
  const flat = flattenModules(modules, scan.report);
  const given = [...own, ...flat.flatMap((module) => module.features)];
  const added = addedFeatures(given, scan);
  const plans = scanFeatures([...own, ...added], scan, flat);
  const planned = new PlannedEntries(() => plans);
  for (const extension of scan.extensions) extension.checkAll?.(planned, scan.report);
  return { features: [...given, ...added], modules: flat, plans };
}
