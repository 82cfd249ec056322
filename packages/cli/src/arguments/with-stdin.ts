/** Arguments from stdin, for scripts and for arguments that are too long for a command line. */
import { text } from 'node:stream/consumers';
import { isObject } from '@sigil-mcp/base';
import { reasonOf, wrongUsage } from '../failure';
import type { Shell } from '../terminal/shell';

/**
 * Replaces the word `-` with the JSON object on stdin.
 * @throws CliFailure if stdin has no JSON object
 */
export async function withStdin({ stdin }: Shell, words: readonly string[]): Promise<readonly string[]> {
  if (!words.includes('-')) return words;
  const given = await text(stdin);
  requireObject(given);
  return words.map((word) => (word === '-' ? given : word));
}

function requireObject(given: string): void {
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch (error) {
    throw wrongUsage('SIGIL_CLI_STDIN', { reason: given.trim() === '' ? 'it is empty' : reasonOf(error) });
  }
  if (!isObject(value)) throw wrongUsage('SIGIL_CLI_STDIN', { reason: 'it is not an object' });
}
