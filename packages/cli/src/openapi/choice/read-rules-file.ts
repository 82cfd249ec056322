/** The file of rules of a run: that which was typed, or that of the lock. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fetchText } from '../document/fetch-text';
import { parseDocument } from '../document/parse-document';
import { NO_RULES, readRules, type Rules } from './rules';

/** @param path below the folder; without one there are no rules */
export async function readRulesFile(path: string | undefined, folder: string, signal: AbortSignal): Promise<Rules> {
  if (path === undefined) return NO_RULES;
  const text = await fetchText(pathToFileURL(resolve(folder, path)), signal);
  return readRules(text.trim() === '' ? {} : parseDocument(text, path), path);
}
