/**
 * The plain files under `templates`, and their two placeholders: `{{word}}` stands for a text, and the lines between
 * `{{#flag}}` and `{{/flag}}` (each alone on its line) are there only if the flag is set.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { sigilError } from '@sigil-mcp/core/adapter';

/** What the placeholders stand for. */
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

/** The ending of every template's name: npm, linters and test runners would take the bare names for files of this package. */
const ENDING = '.template';

/** The folder of the templates, in the sources' package as in the published one. */
const TEMPLATES = join(__dirname, '..', '..', 'templates');

/**
 * Reads templates and fills them in.
 * @param layers folders under `templates`; a later one's files win
 * @throws SigilError if a template names a word or a flag that has no value
 */
export function readTemplates(layers: readonly string[], values: TemplateValues): ProjectFile[] {
  const files = new Map<string, ProjectFile>();
  for (const layer of layers) {
    const root = join(TEMPLATES, layer);
    for (const file of filesUnder(root)) {
      const path = relative(root, file.slice(0, -ENDING.length)).replaceAll(sep, '/');
      files.set(path, { path, text: fillIn(readFileSync(file, 'utf8'), values) });
    }
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Fills one text in; see the head of this file. */
export function fillIn(template: string, { words, flags }: TemplateValues): string {
  return chooseLines(template, flags).replace(/\{\{([\w:]+)\}\}/g, (_whole: string, word: string) =>
    valueOf(words, word),
  );
}

/** Lines of a flag may have other flags among them. */
function chooseLines(template: string, flags: TemplateValues['flags']): string {
  return template.replace(/^\{\{#(\w+)\}\}\n([^]*?)^\{\{\/\1\}\}\n/gm, (_whole: string, flag: string, lines: string) =>
    valueOf(flags, flag) ? chooseLines(lines, flags) : '',
  );
}

function valueOf<T>(values: Readonly<Record<string, T>>, name: string): T {
  const value = values[name];
  if (value === undefined) throw sigilError('SIGIL_NEW_TEMPLATE', { name: `{{${name}}}` });
  return value;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}
