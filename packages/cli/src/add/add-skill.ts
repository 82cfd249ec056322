/** `sigil add skill`: a Markdown file next to a feature, or a folder of its own, which the server serves, with its spec. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type * as TypeScript from 'typescript';
import { failure, wrongUsage } from '../failure';
import { shownPath } from '../project/shown-path';
import { addExtension, addPackage, extensionCall } from './add-extension';
import { addImports } from './add-imports';
import { inStyle } from './code-style';
import { importedName } from './imported-name';
import type { ReadProject, FeatureClass } from './read-project';
import { checkParses, insertInto, type Insertion, type SourceFile } from './source-file';
import type { FileChange } from './write-changes';
import { specFor } from './write-spec';
import { dashed } from './pieces';

/** What serves skills, and its package. */
const SKILLS = { module: '@sigil-mcp/skills', name: 'skills' } as const;
/** The folder of skills, from the file that creates the server. */
const FOLDER = './skills';

/**
 * @param wanted file or class of the feature; a folder of its own if left out
 * @throws CliFailure if the skill cannot be added
 */
export function addSkill(project: ReadProject, name: string, wanted?: string): readonly FileChange[] {
  if (name.length > 64 || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) throw wrongUsage('SIGIL_ADD_SKILL_NAME', { name });
  const uri = `skill://${name}/SKILL.md`;
  const check = [
    `const { contents } = await client.readResource('${uri}');`,
    `expect(contents).toMatchObject([{ uri: '${uri}', mimeType: 'text/markdown' }]);`,
  ];
  const spec = specFor(project, [name, `${name}-skill`], { title: `${name} can be read`, check });
  const files = wanted === undefined ? inFolder(project, name) : besideFeature(project, name, wanted);
  return [...files, ...addPackage(project, SKILLS), spec];
}

function inFolder(project: ReadProject, name: string): FileChange[] {
  const { server } = project;
  const path = join(dirname(server.file.path), FOLDER, name, 'SKILL.md');
  return [newFile(project, path, name), changed(project, server.file, extensionInto(project, true))];
}

function besideFeature(project: ReadProject, name: string, wanted: string): FileChange[] {
  const { compiler, server } = project;
  const { file, node } = chooseFeature(project, wanted, name);
  const path = join(dirname(file.path), `${name}.md`);
  const local = importedName(compiler, file.tree, SKILLS.module, 'Skill') ?? 'Skill';
  const line = inStyle(`@${local}('./${name}.md')`, file.style) + file.style.lineEnd;
  const decorator = { at: startOfClass(compiler, node), text: line };
  const insertions = [...addImports(compiler, file, SKILLS.module, ['Skill']), decorator];
  const toServer = extensionInto(project, false);
  const markdown = newFile(project, path, name);
  if (file.path === server.file.path) return [markdown, changed(project, file, [...insertions, ...toServer])];
  const feature = changed(project, file, insertions);
  return [markdown, feature, ...(toServer.length > 0 ? [changed(project, server.file, toServer)] : [])];
}

/** Behind the decorators of a class. */
function startOfClass(compiler: ReadProject['compiler'], node: TypeScript.ClassDeclaration): number {
  const other = node.modifiers?.find((modifier) => !compiler.isDecorator(modifier));
  return other?.getStart() ?? node.getStart();
}

function newFile({ folder, server }: ReadProject, path: string, name: string): FileChange {
  if (existsSync(path)) throw failure('SIGIL_ADD_FILE_TAKEN', { file: shownPath(folder, path) });
  const words = name.replaceAll('-', ' ');
  const lines = [
    '---',
    `name: ${name}`,
    "description: 'TODO: say what this skill helps with, and when an agent should use it'",
    '---',
    '',
    `# ${words.charAt(0).toUpperCase()}${words.slice(1)}`,
    '',
    '1. TODO: say what to do first. Write tools as calls in backticks: the server checks at its start that they exist.',
    '2. TODO: say what to do next.',
    '',
  ];
  return { path, text: lines.join(server.file.style.lineEnd) };
}

function changed({ compiler, folder }: ReadProject, file: SourceFile, insertions: readonly Insertion[]): FileChange {
  const text = insertInto(file.text, insertions);
  checkParses(compiler, text, shownPath(folder, file.path));
  return { path: file.path, text };
}

/** Adds the extension to the server, unless it is there already. */
function extensionInto(project: ReadProject, isFolder: boolean): readonly Insertion[] {
  const present = extensionCall(project, SKILLS);
  if (present) return isFolder ? folderInto(project, present) : [];
  return addExtension(project, SKILLS, isFolder ? `{ folders: ['${FOLDER}'] }` : '');
}

/** Names the folder in a call of `skills` that is there. */
function folderInto(project: ReadProject, call: TypeScript.CallExpression): Insertion[] {
  const { style } = project.server.file;
  const [options] = call.arguments;
  const quoted = inStyle(`'${FOLDER}'`, style);
  if (!options) return [{ at: call.getEnd() - 1, text: `{ folders: [${quoted}] }` }];
  const text = options.getText();
  if (/(["'`])\.\/skills\/?\1/.test(text)) return [];
  if (!/\bfolders\b/.test(text) && project.compiler.isObjectLiteralExpression(options))
    return [propertyInto(project.server.file, options, `folders: ['${FOLDER}']`)];
  throw notChangeable(project);
}

function propertyInto(file: SourceFile, options: TypeScript.ObjectLiteralExpression, code: string): Insertion {
  const text = inStyle(code, file.style);
  const last = options.properties.at(-1);
  if (!last) return { at: options.getStart() + 1, text: ` ${text} ` };
  const start = last.getStart();
  const line = file.text.slice(file.text.lastIndexOf('\n', start - 1) + 1, start);
  return { at: last.getEnd(), text: line.trim() === '' ? `,${file.style.lineEnd}${line}${text}` : `, ${text}` };
}

function notChangeable({ folder, server }: ReadProject) {
  const call = `${SKILLS.name}({ folders: ['${FOLDER}'] })`;
  return failure('SIGIL_ADD_NO_OPTIONS', { file: shownPath(folder, server.file.path), list: 'extensions', call });
}

/**
 * @param wanted file or class of the feature; may be left out if there is only one, or one that is called as what is added
 * @param added the name of what is added
 * @throws CliFailure if there is no such feature, or several
 */
export function chooseFeature(
  { folder, features }: ReadProject,
  wanted: string | undefined,
  added: string,
): FeatureClass {
  const same = features.filter((each) => isCalled(each, folder, dashed(added)));
  if (wanted === undefined && same[0] && same.length === 1) return same[0];
  const named = features.map((each) => `${each.name} (${shownPath(folder, each.file.path)})`).join(', ');
  const matching = wanted === undefined ? features : features.filter((each) => isCalled(each, folder, wanted));
  const [feature, another] = matching;
  if (feature && !another) return feature;
  if (features.length === 0) throw failure('SIGIL_ADD_NO_FEATURE');
  if (wanted === undefined) throw wrongUsage('SIGIL_ADD_FEATURES', { features: named, first: feature?.name ?? '' });
  throw wrongUsage('SIGIL_ADD_FEATURE_UNKNOWN', { name: wanted, features: named });
}

function isCalled({ name, file }: FeatureClass, folder: string, wanted: string): boolean {
  const path = shownPath(folder, file.path);
  const plain = wanted.replaceAll('\\', '/').replace(/^\.\//, '');
  const short = dashed(name.replace(/Feature$/, ''));
  return [name, path, path.replace(/^src\//, ''), path.split('/').at(-1), short].includes(plain);
}
