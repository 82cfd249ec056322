/** `sigil add feature`: a class in its own file, registered in the server, with a spec. */
import { dirname, join } from 'node:path';
import { failure, wrongUsage } from '../failure';
import { shownPath } from '../project/shown-path';
import { inStyle } from './code-style';
import { capitalised, dashed, joined, writtenCode } from './pieces';
import { ProjectEdits } from './project-edits';
import type { ReadProject } from './read-project';
import type { FileChange } from './write-changes';
import { importsCompiled, specFor, wayTo } from './write-spec';

/** @throws CliFailure if the feature cannot be added */
export function addFeature(project: ReadProject, name: string): readonly FileChange[] {
  const plain = joined(name).replace(/[Ff]eature$/, '');
  if (!/^[A-Za-z]/.test(plain) || /[^\w-]/.test(name)) throw wrongUsage('SIGIL_ADD_CLASS_NAME', { name });
  const { server, features, folder, esm } = project;
  const { file } = server;
  const className = `${capitalised(plain)}Feature`;
  const same = features.find((each) => each.name === className);
  if (same) throw failure('SIGIL_ADD_CLASS_TAKEN', { name: className, place: shownPath(folder, same.file.path) });
  // The ending that the project gives to files of features.
  const ending = features.some((each) => each.file.path.endsWith('-feature.ts')) ? '-feature' : '.feature';
  const path = join(dirname(file.path), `${dashed(plain)}${ending}.ts`);
  const written = writtenCode('feature', plain);
  const edits = new ProjectEdits(project);
  edits.create(path, inStyle(`${written.code}\n`, file.style));
  edits.import(file, wayTo(dirname(file.path), path, esm || importsCompiled(file.text)), className);
  edits.enter('features', className, failure('SIGIL_ADD_NO_LIST', { file: shownPath(folder, file.path) }));
  edits.add(specFor(project, [dashed(plain), `${dashed(plain)}-feature`], written));
  return edits.changes();
}
