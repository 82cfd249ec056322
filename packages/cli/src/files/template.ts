/**
 * Plain files in folders of templates, with two placeholders: `{{word}}` is replaced by a text, and the lines between
 * `{{#flag}}` and `{{/flag}}` (each alone on its line) are kept only if the flag is set.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { commandError } from '../errors/errors';

/** The values of the placeholders. */
export interface TemplateValues {
  readonly words: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, boolean>>;
}

/** A file to write. */
export interface ProjectFile {
  /** The path below the project, with slashes. */
  readonly path: string;
  readonly text: string | Buffer;
}

/** The extension of every template: with their final names, npm, linters and test runners would treat them as files of this package. */
const ENDING = '.template';

/**
 * Reads templates and replaces their placeholders.
 * @param layers folders of templates; files of later ones win
 * @throws SigilError if a template names a word or a flag that has no value
 */
export function readTemplates(layers: readonly string[], values: TemplateValues): ProjectFile[] {
  const files = new Map<string, ProjectFile>();
  for (const root of layers) {
    for (const file of filesUnder(root)) {
      const path = relative(root, file.slice(0, -ENDING.length)).replaceAll(sep, '/');
      files.set(path, { path, text: fillIn(readFileSync(file, 'utf8'), values) });
    }
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Replaces the placeholders in one text; see the head of this file. */
export function fillIn(template: string, { words, flags }: TemplateValues): string {
  return chooseLines(template, flags).replace(/\{\{([\w:]+)\}\}/g, (_whole: string, word: string) =>
    valueOf(words, word),
  );
}

/** The lines of one flag may contain other flags. */
function chooseLines(template: string, flags: TemplateValues['flags']): string {
  return template.replace(/^\{\{#(\w+)\}\}\n([^]*?)^\{\{\/\1\}\}\n/gm, (_whole: string, flag: string, lines: string) =>
    valueOf(flags, flag) ? chooseLines(lines, flags) : '',
  );
}

function valueOf<T>(values: Readonly<Record<string, T>>, name: string): T {
  const value = values[name];
  if (value === undefined) throw commandError('SIGIL_NEW_TEMPLATE', { name: `{{${name}}}` });
  return value;
}

function filesUnder(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
