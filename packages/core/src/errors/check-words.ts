/** Texts that a definition must not leave blank. */
import { nameValue, type ReportProblem } from '@sigil-mcp/base';
import { problem } from './catalogue';

/**
 * Whether every word says something; reports those that are empty, only spaces, or no text.
 * @param words by what they are: `{ description: '' }`
 */
export function checkWords(words: Readonly<Record<string, unknown>>, where: string, report: ReportProblem): boolean {
  const blank = Object.entries(words).filter(([, text]) => typeof text !== 'string' || text.trim() === '');
  for (const [part, text] of blank) report(problem('SIGIL_BLANK_WORDS', where, { part, value: nameValue(text) }));
  return blank.length === 0;
}
