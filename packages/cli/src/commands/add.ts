/** `sigil add`: a tool, a resource, a prompt or a feature, with its spec. */
import { existsSync } from 'node:fs';
import { Argument } from 'commander';
import { addFeature } from '../add/add-feature';
import { addPiece } from '../add/add-piece';
import { methodNameOf, type PieceKind } from '../add/pieces';
import { readProject } from '../add/read-project';
import { writeChanges } from '../add/write-changes';
import { shownPath } from '../project/shown-path';
import { print } from '../terminal/outlet';
import type { RegisterCommand } from './command';

const KINDS = ['tool', 'resource', 'prompt', 'feature'] as const;

/** `sigil add <kind> <name>`, in the folder of a project. */
export const registerAdd: RegisterCommand = (program) => {
  program
    .command('add')
    .description('add a tool, a resource, a prompt or a feature, with its test')
    .addArgument(new Argument('<kind>', 'what to add').choices(KINDS))
    .argument('<name>', 'of the method (findNote or find-note) or the feature (tasks)')
    .option('-f, --feature <name>', 'class or file of the feature, if there are several')
    .action((kind: PieceKind | 'feature', name: string, options: { feature?: string }) => add(kind, name, options));
};

function add(kind: PieceKind | 'feature', typed: string, { feature }: { feature?: string }): void {
  const project = readProject(process.cwd());
  const name = kind === 'feature' ? typed : methodNameOf(typed);
  const changes = kind === 'feature' ? addFeature(project, name) : addPiece(project, kind, name, feature);
  const lines = changes.map(({ path }) => {
    const verb = existsSync(path) ? 'changed' : 'wrote  ';
    return `  ${verb}  ${shownPath(project.folder, path)}\n`;
  });
  writeChanges(changes);
  print(`Added the ${kind} ${name}:\n${lines.join('')}`);
}
