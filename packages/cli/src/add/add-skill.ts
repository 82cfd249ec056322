/** `sigil add skill`: a Markdown file next to a feature, or a folder of its own, which the server serves, with its spec. */
import { dirname, join } from 'node:path';
import type * as TypeScript from 'typescript';
import { failure, wrongUsage } from '../failure';
import { shownPath } from '../project/find-project';
import { behind } from './add-imports';
import { inStyle } from './code-style';
import { dashed, writtenCode } from './pieces';
import { extensionCall, ProjectEdits } from './project-edits';
import type { ReadProject, FeatureClass } from './read-project';
import type { FileChange } from './source-file';
import { specFor } from './write-spec';

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
  const written = writtenCode('skill', name);
  const text = `${written.code}\n`.replaceAll('\n', project.server.file.style.lineEnd);
  const edits = new ProjectEdits(project);
  if (wanted === undefined) {
    edits.create(join(dirname(project.server.file.path), FOLDER, name, 'SKILL.md'), text);
    serveFolder(edits);
  } else {
    const { file, node } = chooseFeature(project, wanted, name);
    edits.create(join(dirname(file.path), `${name}.md`), text);
    const local = edits.import(file, SKILLS.module, 'Skill');
    const line = inStyle(`@${local}('./${name}.md')`, file.style) + file.style.lineEnd;
    edits.insert(file, { at: startOfClass(project.compiler, node), text: line });
    edits.extend(SKILLS);
  }
  edits.depend(SKILLS);
  edits.add(specFor(project, [name, `${name}-skill`], written));
  return edits.changes();
}

/** Behind the decorators of a class. */
function startOfClass(compiler: ReadProject['compiler'], node: TypeScript.ClassDeclaration): number {
  const other = node.modifiers?.find((modifier) => !compiler.isDecorator(modifier));
  return other?.getStart() ?? node.getStart();
}

/** Adds the extension to the server, or the folder to its call that is there. */
function serveFolder(edits: ProjectEdits): void {
  const { compiler, folder, server } = edits.project;
  const { file } = server;
  const call = extensionCall(edits.project, SKILLS);
  if (!call) return edits.extend(SKILLS, `{ folders: ['${FOLDER}'] }`);
  const [options] = call.arguments;
  const property = inStyle(`folders: ['${FOLDER}']`, file.style);
  if (!options) return edits.insert(file, { at: call.getEnd() - 1, text: `{ ${property} }` });
  const text = options.getText();
  if (/(["'`])\.\/skills\/?\1/.test(text)) return;
  if (/\bfolders\b/.test(text) || !compiler.isObjectLiteralExpression(options)) {
    const wanted = `${SKILLS.name}({ folders: ['${FOLDER}'] })`;
    const shown = shownPath(folder, file.path);
    throw failure('SIGIL_ADD_NO_OPTIONS', { file: shown, list: 'extensions', call: wanted });
  }
  const empty = { at: options.getStart() + 1, text: ` ${property} ` };
  edits.insert(file, behind(file, options.properties, property) ?? empty);
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
