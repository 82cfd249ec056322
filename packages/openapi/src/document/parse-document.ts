/** The text of a document as data: JSON or YAML. */
import { isObject } from '@sigil-mcp/base';
import { parseDocument as parseYaml } from 'yaml';
import { reasonOf, type LooseObject } from '@sigil-mcp/cli/kit';
import { failure } from '../errors';

/**
 * Parses a file of a document.
 * @param shown its name in messages
 * @throws CliFailure if it is neither JSON nor YAML, or holds no object
 */
export function parseDocument(text: string, shown: string): LooseObject {
  const parsed = parse(text, shown);
  if (isObject(parsed)) return parsed;
  throw failure('SIGIL_OPENAPI_SYNTAX', { document: shown, reason: 'it holds no object' });
}

function parse(text: string, shown: string): unknown {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    // Most YAML parsers read JSON too, at a hundredth of the speed.
    if (/^\s*\{/.test(plain)) return JSON.parse(plain);
  } catch {
    // YAML may begin with a brace as well.
  }
  try {
    const document = parseYaml(plain, { prettyErrors: true });
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS({ maxAliasCount: 1000 }) as unknown;
  } catch (error) {
    const [reason = ''] = reasonOf(error).split('\n');
    throw failure('SIGIL_OPENAPI_SYNTAX', { document: shown, reason: reason.replace(/[.:]$/, '') });
  }
}
