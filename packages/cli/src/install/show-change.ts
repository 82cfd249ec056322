/** The change of a file for the user: its lines before and after, without secrets. */
import { changedLines } from '../files/compare-lines';
import type { Styles } from '../terminal/styles';

const HIDDEN = '••••••';
/** A line with a value whose name says that it is secret. */
const SECRET_LINE =
  /((?:key|token|secret|password|passwd|credentials?|authorization)["']?[ \t]*[:=][ \t]*)(["']?)([^"'\n]+)\2/gi;
/** Names of variables and switches are no secrets. */
const HARMLESS = /^(?:\$|<|Bearer \$|(?:true|false|null)\b)/;

/**
 * The changed lines with those around them; empty if nothing changes.
 * @param secrets values that are replaced in every line
 */
export function showChange(
  before: string,
  after: string,
  { styles, secrets }: { readonly styles: Styles; readonly secrets: readonly string[] },
): string[] {
  return changedLines(before, after).map(([sign, text]) => {
    if (sign === '…') return styles.dim('  …');
    const line = `${sign} ${hide(text, secrets)}`.trimEnd();
    if (sign === ' ') return styles.dim(line);
    return sign === '+' ? styles.good(line) : styles.bad(line);
  });
}

/** A text without secrets. */
export function hide(text: string, secrets: readonly string[]): string {
  const without = secrets
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .filter((secret) => secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
  return without.replace(SECRET_LINE, (line: string, name: string, quote: string, value: string) =>
    HARMLESS.test(value) ? line : `${name}${quote}${HIDDEN}${quote}`,
  );
}
