/** Tools whose methods a person has renamed: each is found by the request that it sends, and keeps its new name. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { literals, shownPath } from '@sigil-mcp/cli/kit';
import { LONGEST_NAME } from '../names/taken-names';
import type { CodeReader, CodeUnit } from './code-units';
import type { Lock } from './lock';

/** A tool with another name than the one that was written. */
export interface RenamedMethod {
  /** Of its operation. */
  readonly key: string;
  readonly before: string;
  readonly after: string;
  /** Of its file, below the project. */
  readonly shown: string;
  /** What the lock remembers if nothing but the name has changed: then later runs still update the method. */
  readonly digest: string | undefined;
}

/** Where the features are. */
export interface FeatureFiles {
  /** Of the project. */
  readonly root: string;
  /** Of the API. */
  readonly folder: string;
  readonly lock: Lock | undefined;
}

/** The methods with other names, in the files where they were written. */
export function findRenamedMethods(code: CodeReader, { root, folder, lock }: FeatureFiles): RenamedMethod[] {
  return Object.entries(lock?.operations ?? {}).flatMap(([key, { tool, feature }]) => {
    const path = join(folder, `${feature}.feature.ts`);
    const shown = shownPath(root, path);
    const written = Object.entries(lock?.code[shown] ?? {});
    const [, known] = written.find(([name]) => toolOf(name) === tool) ?? [];
    if (known === undefined || !existsSync(path)) return [];
    const text = readFileSync(path, 'utf8');
    const units = code.unitsOf(text);
    if (units.some(({ name }) => toolOf(name) === tool)) return [];
    const others = new Set(written.map(([name]) => toolOf(name)));
    const found = units.filter((each) => !others.has(toolOf(each.name)) && canBeTool(each) && sends(each, key));
    const digestBefore = ({ name }: CodeUnit): string | undefined => {
      const renamed = text.replace(new RegExp(`\\b${toolOf(name)}\\b`, 'g'), tool);
      return code.unitsOf(renamed).find((each) => toolOf(each.name) === tool)?.digest;
    };
    const same = found.find((each) => digestBefore(each) === known);
    // Of several methods that were changed as well, nobody knows which one it was.
    const renamed = same ?? (found.length === 1 ? found[0] : undefined);
    return renamed ? [{ key, before: tool, after: toolOf(renamed.name), shown, digest: same?.digest }] : [];
  });
}

/** The lock, as if the tools had been written with their new names. */
export function withRenamedMethods(lock: Lock, renamed: readonly RenamedMethod[]): Lock {
  const operations = { ...lock.operations };
  const code = { ...lock.code };
  for (const { key, before, after, shown, digest } of renamed) {
    const operation = operations[key];
    if (operation) operations[key] = { ...operation, tool: after };
    code[shown] = Object.fromEntries(
      Object.entries(code[shown] ?? {}).map(([name, known]) =>
        toolOf(name) === before ? [`${name.slice(0, -before.length)}${after}`, digest ?? known] : [name, known],
      ),
    );
  }
  return { ...lock, operations, code };
}

/** `PetsFeature.getPet` -> `getPet`; empty for what is no method. */
function toolOf(name: string): string {
  return name.split('.')[1] ?? '';
}

function canBeTool({ name, text }: CodeUnit): boolean {
  return /^[A-Za-z]\w*$/.test(toolOf(name)) && toolOf(name).length <= LONGEST_NAME && /@Tool\s*\(/.test(text);
}

/** Whether a method sends the request of an operation. */
function sends({ text }: CodeUnit, key: string): boolean {
  const [method = '', path = ''] = key.split(/ (.*)/s);
  const parts = path
    .split(/\{[^{}]*\}/)
    .map((part) => literals.templateText(part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`['"]${method}['"],\\s*pathOf\`${parts.join('\\$\\{[^`]*?\\}')}\``).test(text);
}
