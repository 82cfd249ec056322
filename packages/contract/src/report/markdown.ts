/** Changes as Markdown, for a pull request. */
import { LEVELS, type ChangeLevel, type ContractChange } from '../compare/contract-change';

const HEADINGS: Readonly<Record<ChangeLevel, string>> = {
  breaking: 'Breaking',
  security: 'Security',
  compatible: 'Compatible',
};

/** The changes in sections, the most serious first. */
export function changesMarkdown(changes: readonly ContractChange[]): string {
  if (changes.length === 0) return 'The contract has not changed.\n';
  const sections = LEVELS.flatMap((level) => {
    const own = changes.filter((each) => each.level === level);
    if (own.length === 0) return [];
    return [`### ${HEADINGS[level]} (${own.length})\n\n${own.map((each) => `- ${line(each)}`).join('\n')}\n`];
  });
  return sections.join('\n');
}

function line({ kind, key, text, revisions = [] }: ContractChange): string {
  const where = key === undefined ? '' : `${kind} ${code(key)}: `;
  const when = revisions.length === 0 ? '' : ` (in ${revisions.join(', ')})`;
  return `${where}${escaped(text)}${when}`;
}

function code(text: string): string {
  const fence = '`'.repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1);
  // A tick next to the fence would be part of it.
  const space = text.includes('`') ? ' ' : '';
  return `${fence}${space}${text.replace(/\s+/g, ' ')}${space}${fence}`;
}

/** Texts of a server are no markup, and mention nobody. */
function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>|#~@!]/g, String.raw`\$&`);
}
