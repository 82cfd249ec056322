/** The report about a bundle, for users. */
import type { Styles } from '../terminal/styles';
import { TARGETS, type BuildTarget } from './build-target';
import type { Bundle } from './bundle';

/** The number of packages that are named. */
const NAMED = 5;
const KILOBYTE = 1000;

/** Where a bundle runs, and what it runs with. */
interface BundleTarget {
  readonly target: BuildTarget;
  /** The names of the files behind its loader; none without a loader. */
  readonly behind: readonly string[];
}

/**
 * The lines that report the bundle's path, its size, its packages, and the packages outside of it.
 * @param shown its path for users
 */
export function describeBundle(
  { files, contents, beside, missing }: Bundle,
  shown: string,
  styles: Styles,
  { target, behind }: BundleTarget,
): string[] {
  const { packages, left } = contents;
  const { run } = TARGETS[target];
  const size = files.find(({ path }) => !path.endsWith('.map'))?.contents.length ?? 0;
  const named = packages.slice(0, NAMED).map(({ name, bytes }) => `${name} ${sizeOf(bytes)}`);
  const rest = packages.length - named.length;
  const belonging = [...behind, ...[...beside.values()].sort()];
  const more = rest > 0 ? `, and ${rest} more` : '';
  return [
    `${styles.good('✓')} ${styles.bold(shown)}  ${sizeOf(size)}`,
    `  ${styles.dim(`${named.join(', ')}${more}`)}`,
    ...(left.length > 0 ? [`  stays outside: ${left.join(', ')}`] : []),
    ...(belonging.length > 0 ? [`  ${styles.dim('belongs to it:')} ${belonging.join(', ')}`] : []),
    ...(missing.size > 0
      ? [`  not on this platform, and throws when it is loaded: ${[...missing].sort().join(', ')}`]
      : []),
    ...(run === undefined ? [] : [`  ${styles.dim('run it:')} ${runWith(run, shown, behind)}`]),
  ];
}

/** Node reads no source map of a bundle behind a loader. */
function runWith(run: string, shown: string, behind: readonly string[]): string {
  const command = behind.length > 0 ? run.replace('--enable-source-maps ', '') : run;
  return command.replace('{file}', shown);
}

function sizeOf(bytes: number): string {
  const kilobytes = bytes / KILOBYTE;
  return kilobytes < KILOBYTE ? `${Math.ceil(kilobytes)} kB` : `${(kilobytes / KILOBYTE).toFixed(1)} MB`;
}
