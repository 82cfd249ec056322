/** The code that `sigil add` writes for each kind: it compiles and answers at once, and its texts say what to replace. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillIn } from '../files/template';
import { templatesOfCli } from '../version';

/** What can be added to a feature. */
export type PieceKind = 'tool' | 'resource' | 'prompt' | 'view';

/** Code in our own style; `inStyle` adapts it to a file. */
export interface Piece extends WrittenCode {
  /** A file next to that of the feature. */
  readonly beside?: { readonly name: string; readonly text: string };
  /** An extension that the server must have: its package, and the function that makes it. */
  readonly extension?: { readonly module: string; readonly name: string };
  /** A class for the input, before the feature. */
  readonly input?: { readonly name: string; readonly code: string };
  /** The names that the code needs, by module. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
}

/** What a template has: code, and the test of it. */
export interface WrittenCode {
  readonly code: string;
  /** The body of the test, which has a client. */
  readonly check: readonly string[];
  readonly title: string;
}

/** The package of the framework. */
export const SIGIL = '@sigil-mcp/core';
const APPS = '@sigil-mcp/apps';
const VALIDATORS = { 'class-validator': ['IsString', 'Length'] };

const NEEDED: Readonly<Record<PieceKind, Pick<Piece, 'imports' | 'extension'>>> = {
  tool: { imports: { [SIGIL]: ['Describe', 'Tool'], ...VALIDATORS } },
  resource: { imports: { [SIGIL]: ['Resource'] } },
  prompt: { imports: { [SIGIL]: ['Describe', 'Prompt'], ...VALIDATORS } },
  view: { imports: { [SIGIL]: ['Tool'], [APPS]: ['View'] }, extension: { module: APPS, name: 'apps' } },
};

/**
 * @param name of the method
 * @param scheme of the URI of a resource
 */
export function pieceOf(kind: PieceKind, name: string, scheme: string): Piece {
  const { input, ...written } = writtenCode(kind, name, scheme);
  const beside = { name: `${dashed(name)}.html`, text: kind === 'view' ? filled('view.html', name) : '' };
  return {
    ...written,
    ...NEEDED[kind],
    ...(input !== undefined && { input: { name: `${capitalised(name)}Input`, code: input } }),
    ...(kind === 'view' && { beside }),
  };
}

/** What a template says, whose parts are the title of the test, the code, the body of the test, and for some the class of an input. */
export function writtenCode(kind: string, name: string, scheme = ''): WrittenCode & { readonly input?: string } {
  const parts = filled(kind, name, scheme).split('=====\n');
  const [title = '', code = '', check = '', input] = parts.map((part) => part.trimEnd());
  return { title, code, check: check.split('\n'), ...(input !== undefined && { input }) };
}

function filled(template: string, name: string, scheme = ''): string {
  const path = join(templatesOfCli(), 'add', `${template}.template`);
  const words = dashed(name).replaceAll('-', ' ');
  const cases = { name, Name: capitalised(name), dashed: dashed(name), words, Words: capitalised(words), scheme };
  return fillIn(readFileSync(path, 'utf8'), { words: cases, flags: {} });
}

/** @returns the code with the names under which a file imports the decorators */
export function renamed(code: string, names: ReadonlyMap<string, string>): string {
  return code.replace(/@(\w+)(?=\()/g, (_whole, name: string) => `@${names.get(name) ?? name}`);
}

/** A name with a capital letter first: `findNote` -> `FindNote`. */
export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A name with dashes between its words: `findNote` -> `find-note`. */
export function dashed(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/** A name whose words are joined with capital letters: `find-note` -> `findNote`. */
export function joined(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const whole = words.map((word, index) => (index === 0 ? word : capitalised(word))).join('');
  return whole.charAt(0).toLowerCase() + whole.slice(1);
}

/** The name of a method, as it was typed or with dashes between its words: `all-notes2` -> `allNotes2`. */
export function methodNameOf(typed: string): string {
  return /^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+$/.test(typed) ? joined(typed) : typed;
}
