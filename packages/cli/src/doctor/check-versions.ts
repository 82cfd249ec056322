/** The version of Node, and packages whose versions have to match. */
import { relative } from 'node:path';
import { NODE_RANGE, nodeProblem } from '../node-problem';
import { ONLY_ONCE } from '../project/find-project';
import type { InstalledPackage } from './installed-packages';
import type { Finding, ProjectCheck } from './read-setup';
import { satisfies, subset, valid, validRange } from 'semver';

/** Checks that Node is new enough. */
export const nodeVersion: ProjectCheck = {
  title: 'Node is new enough',
  find: ({ nodeVersion: version }) => {
    const problem = nodeProblem(version);
    return problem ? [problem] : [];
  },
};

/** Checks that the project's own `engines` accept this Node, and no version that is too old for Sigil. */
export const ownEngines: ProjectCheck = {
  title: 'The engines of the project match Node and Sigil',
  *find({ nodeVersion: version, manifest: { engines } }) {
    const range: unknown = engines?.['node'];
    if (typeof range !== 'string') return;
    if (!isInRange(version, range))
      yield {
        problem: `This is Node ${version}; the project requires ${range} ("engines" in package.json).`,
        fix: 'Use a Node in that range, for example with nvm, fnm or volta, or change "engines".',
      };
    if (!isWithin(range, NODE_RANGE))
      yield {
        problem: `"engines" in package.json lets the project run on Node ${range}; Sigil needs ${NODE_RANGE}.`,
        fix: `Write "engines": { "node": "${NODE_RANGE}" }.`,
      };
  },
};

/** Checks that packages which hold state are installed once. */
export const oneCopy: ProjectCheck = {
  title: 'Packages that hold metadata are installed once',
  *find({ installed, folder }) {
    for (const name of ONLY_ONCE) {
      const copies = installed.filter((each) => each.name === name);
      const places = copies.map((each) => `${relative(folder, each.folder)} (${each.version})`).join(', ');
      if (copies.length === 0) yield { problem: `${name} is not installed.`, fix: `Run npm install ${name}.` };
      if (copies.length > 1)
        yield {
          problem: `${name} is installed ${copies.length} times: ${places}. Each copy has its own metadata, which the others do not see.`,
          fix: `Run npm dedupe, or pin one version of ${name} with "overrides" in package.json.`,
        };
    }
  },
};

/** Checks that the packages of Sigil have one version, and that their peers are in range. */
export const fittingVersions: ProjectCheck = {
  title: 'The packages of Sigil match each other and their peers',
  *find({ installed, manifest }) {
    const own = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    const ours = installed.filter(({ name }) => name.startsWith('@sigil-mcp/'));
    const listed = [...new Set(ours.map(({ name, version }) => `${name} ${version}`))].sort().join(', ');
    if (new Set(ours.map(({ version }) => version)).size > 1)
      yield {
        problem: `The packages of Sigil have different versions: ${listed}.`,
        fix: 'Give them the same version in package.json, and install again.',
      };
    for (const each of ours) yield* peersOf(each, installed, own);
  },
};

/** @param own the packages that the project depends on itself */
function* peersOf(
  { name, manifest }: InstalledPackage,
  installed: readonly InstalledPackage[],
  own: readonly string[],
): Iterable<Finding> {
  for (const [peer, range] of Object.entries(manifest.peerDependencies ?? {})) {
    const copies = installed.filter((each) => each.name === peer);
    const used = copies.find(({ top }) => top) ?? copies[0];
    const isOptional = manifest.peerDependenciesMeta?.[peer]?.optional === true;
    // Some package managers put the version of another package where it is found, and nothing uses it.
    if (isOptional && !own.includes(peer)) continue;
    // Another check reports a missing package that has to be installed once.
    if (used ? isInRange(used.version, range) : isOptional || ONLY_ONCE.includes(peer)) continue;
    yield {
      problem: `${name} needs ${peer} ${range}; ${used ? `${used.version} is installed` : 'it is not installed'}.`,
      fix: `Run npm install "${peer}@${range}".`,
    };
  }
}

/**
 * @param version of a package or of Node; a prerelease counts as newer than all earlier releases
 * @param range from a package.json
 * @returns also true for ranges that cannot be judged: a path, a tag, a protocol of a package manager
 */
export function isInRange(version: string, range: string): boolean {
  if (valid(version) === null || validRange(range) === null) return true;
  return satisfies(version, range, { includePrerelease: true });
}

/**
 * @param inner a range from a package.json
 * @returns whether all its versions are in the outer range; also true for an invalid range
 */
function isWithin(inner: string, outer: string): boolean {
  return validRange(inner) === null || subset(inner, outer);
}
