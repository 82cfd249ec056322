/** What came of a bundle, for the person who asked for it. */
import type { Styles } from '../terminal/styles';
import type { Bundle } from './bundle';

/** How many packages are named. */
const NAMED = 5;
const KILOBYTE = 1000;

/**
 * The lines that say where a bundle is, how large, of what, and what it needs.
 * @param shown its path as the person sees it
 */
export function describeBundle({ files, contents }: Bundle, shown: string, styles: Styles): string[] {
  const { packages, left } = contents;
  const size = files.find(({ path }) => !path.endsWith('.map'))?.contents.length ?? 0;
  const named = packages.slice(0, NAMED).map(({ name, bytes }) => `${name} ${sizeOf(bytes)}`);
  const rest = packages.length - named.length;
  const more = rest > 0 ? `, and ${rest} more` : '';
  return [
    `${styles.good('✓')} ${styles.bold(shown)}  ${sizeOf(size)}`,
    `  ${styles.dim(`${named.join(', ')}${more}`)}`,
    ...(left.length > 0 ? [`  stays outside: ${left.join(', ')}`] : []),
    `  ${styles.dim('run it:')} node --enable-source-maps ${shown}`,
  ];
}

function sizeOf(bytes: number): string {
  const kilobytes = bytes / KILOBYTE;
  return kilobytes < KILOBYTE ? `${Math.ceil(kilobytes)} kB` : `${(kilobytes / KILOBYTE).toFixed(1)} MB`;
}
