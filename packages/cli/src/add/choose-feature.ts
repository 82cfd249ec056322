/** The feature that `sigil add` writes into, by its class or its file. */
import { failure, wrongUsage } from '../failure';
import { shownPath } from '../project/shown-path';
import { dashed } from './pieces';
import type { FeatureClass, ReadProject } from './read-project';

/**
 * @param wanted file or class of the feature; may be left out if there is only one, or one that is called as what is added
 * @param added the name of what is added
 * @throws CliFailure if there is no such feature, or several
 */
export function chooseFeature(
  { folder, features }: ReadProject,
  wanted: string | undefined,
  added: string,
): FeatureClass {
  const same = features.filter((each) => isCalled(each, folder, dashed(added)));
  if (wanted === undefined && same[0] && same.length === 1) return same[0];
  const named = features.map((each) => `${each.name} (${shownPath(folder, each.file.path)})`).join(', ');
  const matching = wanted === undefined ? features : features.filter((each) => isCalled(each, folder, wanted));
  const [feature, another] = matching;
  if (feature && !another) return feature;
  if (features.length === 0) throw failure('SIGIL_ADD_NO_FEATURE');
  if (wanted === undefined) throw wrongUsage('SIGIL_ADD_FEATURES', { features: named, first: feature?.name ?? '' });
  throw wrongUsage('SIGIL_ADD_FEATURE_UNKNOWN', { name: wanted, features: named });
}

function isCalled({ name, file }: FeatureClass, folder: string, wanted: string): boolean {
  const path = shownPath(folder, file.path);
  const plain = wanted.replaceAll('\\', '/').replace(/^\.\//, '');
  const short = dashed(name.replace(/Feature$/, ''));
  return [name, path, path.replace(/^src\//, ''), path.split('/').at(-1), short].includes(plain);
}
