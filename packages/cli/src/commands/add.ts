/** `sigil add`: a tool, a resource, a prompt, a view, a feature or a skill, with its spec; `sigil add openapi` has a package of its own. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Argument } from 'commander';
import { addFeature, addPiece } from '../add/add-piece';
import { addSkill } from '../add/add-skill';
import { dashed, methodNameOf } from '../add/pieces';
import { readProject, type ReadProject } from '../add/read-project';
import { writeChanges, type FileChange } from '../add/source-file';
import { endedBySignal, wrongUsage } from '../failure';
import { shownPath } from '../project/find-project';
import { statusOfSignal } from '../terminal/interruption';
import { registerOutside, type RegisterCommand } from '../command-packages/command-package';
import type { Shell } from '../terminal/shell';

const KINDS = ['tool', 'resource', 'prompt', 'view', 'feature', 'skill'] as const;
type AddedKind = (typeof KINDS)[number];

/** A name for each kind. */
const EXAMPLES = {
  tool: 'findNote',
  resource: 'allNotes',
  prompt: 'sortNotes',
  view: 'chart',
  feature: 'tasks',
  skill: 'sort-notes',
} as const;

/** `sigil add <kind> <name>`, in the folder of a project. */
export const registerAdd: RegisterCommand = (program, shell) => {
  const command = program
    .command('add')
    .description('add a tool, a resource, a prompt, a view, a feature or a skill, with its test')
    .addArgument(new Argument('<kind>', 'what to add').choices([...KINDS, 'openapi']))
    .argument('[name]', 'of the method (findNote or find-note), the feature (tasks) or the skill (sort-notes)')
    .option('-f, --feature <name>', 'class or file of the feature, if there are several; puts a skill next to it')
    .action(async (kind: AddedKind, name: string | undefined, options: { feature?: string }) => {
      const project = readProject(shell.cwd);
      add(shell, project, { kind, typed: name ?? (await askName(shell, kind)), feature: options.feature });
    });
  registerOutside('add openapi')(command, shell);
};

/** Asks for the name at a terminal. @throws CliFailure elsewhere, or if the user cancels */
async function askName(shell: Shell, kind: AddedKind): Promise<string> {
  const example = EXAMPLES[kind];
  const { stdin: input, stdout: output } = shell;
  if (!input.isTTY || !output.isTTY) throw wrongUsage('SIGIL_ADD_NAMELESS', { kind, example });
  const prompts = await import('@clack/prompts');
  const typed = await prompts.text({ message: `What is the ${kind} called?`, placeholder: example, input, output });
  if (prompts.isCancel(typed)) throw endedBySignal(statusOfSignal('SIGINT'), 'SIGIL_ADD_STOPPED');
  return typed?.trim() || example;
}

/** What was typed. */
interface AddOrder {
  readonly kind: AddedKind;
  readonly typed: string;
  readonly feature: string | undefined;
}

function add(shell: Shell, project: ReadProject, order: AddOrder): void {
  const { kind } = order;
  const { name, changes } = changesFor(project, order);
  const lines = changes.map(({ path }) => {
    const verb = existsSync(path) ? 'changed' : 'wrote  ';
    return `  ${verb}  ${shownPath(project.folder, path)}\n`;
  });
  writeChanges(changes, project.folder);
  shell.print(`Added the ${kind} ${name}:\n${lines.join('')}`);
  if (changes.some(({ path }) => basename(path) === 'package.json'))
    shell.print('Run npm install: package.json names a package that was not there before.');
  shell.print('Replace the texts that begin with TODO: a server with strict: true does not start with them.');
}

function changesFor(
  project: ReadProject,
  { kind, typed, feature }: AddOrder,
): { readonly name: string; readonly changes: readonly FileChange[] } {
  if (kind === 'feature') return { name: typed, changes: addFeature(project, typed) };
  if (kind === 'skill') return { name: dashed(typed), changes: addSkill(project, dashed(typed), feature) };
  const name = methodNameOf(typed);
  return { name, changes: addPiece(project, kind, name, feature) };
}
