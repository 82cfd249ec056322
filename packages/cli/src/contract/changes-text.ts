/** Changes of a contract as lines for users. */
import type { ChangeLevel, ContractChange } from '@sigil-mcp/contract';
import { visible } from '@sigil-mcp/core/adapter';
import type { Styles } from '../terminal/styles';

const WORDS: Readonly<Record<ChangeLevel, string>> = {
  breaking: 'breaking',
  security: 'security',
  compatible: 'compatible',
};

/** One line for each change, the most serious first. */
export function changesText(changes: readonly ContractChange[], styles: Styles): readonly string[] {
  const style = { breaking: styles.bad, security: styles.warn, compatible: styles.good };
  return changes.map(({ level, key, text, revisions = [] }) => {
    const where = key === undefined ? '' : `${styles.name(visible(key))}: `;
    const when = revisions.length === 0 ? '' : styles.dim(` (in ${revisions.join(', ')})`);
    return `${style[level](WORDS[level].padEnd(10))}  ${where}${visible(text)}${when}`;
  });
}

/** Such as `2 breaking, 1 security, 3 compatible`. */
export function countText(changes: readonly ContractChange[]): string {
  const levels: readonly ChangeLevel[] = ['breaking', 'security', 'compatible'];
  const counts = levels.map((level) => [changes.filter((each) => each.level === level).length, level] as const);
  return counts.flatMap(([count, level]) => (count === 0 ? [] : [`${count} ${level}`])).join(', ');
}
