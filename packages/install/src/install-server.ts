/** `sigil install`: the change of a file of settings is shown, confirmed, and made. */
import { readEnvExample, sources, type Shell } from '@sigil-mcp/cli/kit';
import { chooseServer, nameOfProject, type ChosenServer, type ServerChoice } from './choose-server';
import {
  entryOf,
  type Application,
  type Place,
  type Scope,
  type ServerVariable,
  type WrittenServer,
  inputId,
  type AskedInput,
  type InstalledServer,
  type InstalledAddress,
  type InstalledProgram,
} from './client';
import { findServer, serverNames, withoutServer, withServer, type SettingsText } from './edit/edit-settings';
import { failure, wrongUsage } from './errors';
import { gatherValues } from './gather-values';
import { shownSettings } from './list-clients';
import { filesOf, type Machine } from './machine';
import { type InstallQuestions, stopped } from './questions';
import { changeSettingsFile, readSettingsFile } from './settings-file';

/** Where a server is written. */
interface WrittenPlace {
  readonly client: Application;
  readonly place: Place;
}

/** How the change is made. */
export interface ChangeOptions {
  readonly shell: Shell;
  readonly client: Application;
  readonly scope: Scope;
  readonly machine: Machine;
  /** Show the change only. */
  readonly isDryRun: boolean;
  /** Asks the user; undefined with `--yes` and without a terminal. */
  readonly questions: InstallQuestions | undefined;
  /** Whether the user has agreed before: `--yes`. */
  readonly isAgreed: boolean;
  readonly signal: AbortSignal;
}

/** What is installed. */
export interface InstallOrder extends Omit<ServerChoice, 'client' | 'scope' | 'project' | 'cwd' | 'platform'> {
  readonly words: readonly string[];
  /** Values of `--env`. */
  readonly given: Readonly<Record<string, string>>;
}

/** A file of settings that is about to change. */
interface OpenSettings extends SettingsText {
  readonly exists: boolean;
}

/** Puts a server into the settings. @throws CliFailure before anything is changed */
export async function installServer(order: InstallOrder, options: ChangeOptions): Promise<void> {
  const { shell, client, scope, machine } = options;
  const { words, given, ...choice } = order;
  const chosen = chooseServer(words, {
    ...choice,
    client,
    scope,
    project: machine.project,
    cwd: shell.cwd,
    platform: machine.platform,
  });
  let values = given;
  for (const open of openSettings(options)) values = await installIn(open, { ...chosen, given: values }, options);
}

/** @returns the values that are given, and those that were asked for, for the next file */
async function installIn(
  open: OpenSettings,
  { server, folder, given }: ChosenServer & Pick<InstallOrder, 'given'>,
  options: ChangeOptions,
): Promise<Readonly<Record<string, string>>> {
  const { shell, client, scope, questions, isDryRun } = options;
  const { place } = open;
  const isShared = scope === 'project';
  const variables =
    server.kind === 'address'
      ? []
      : await gatherValues({
          given,
          example: folder === undefined ? [] : readEnvExample(folder),
          before: findServer(open, server.name),
          secrets: place.secrets,
          isShared,
          ask: questions?.askValue,
          isDryRun,
        });
  const chosen: InstalledServer = server.kind === 'address' ? server : { ...server, variables };
  const written = writeEntry(chosen, { client, place });
  if (isShared && place.secrets === 'value' && written.secrets.length > 0) warnOfSecrets(variables, open, options);
  const edit = (text: string): string => withServer({ ...open, text }, chosen.name, written);
  await change(open, { ...options, name: chosen.name, written, edit });
  if (chosen.kind === 'program' && !isDryRun) shell.print(describeProgram(chosen, { client, place }, written));
  const known = variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const]));
  return { ...given, ...Object.fromEntries(known) };
}

/** Takes a server out of the settings. @throws CliFailure if it is in no file of them */
export async function removeServer(typed: string | undefined, options: ChangeOptions): Promise<void> {
  const name = typed ?? nameOfProject(options.machine.project);
  const files = openSettings(options).map((open) => ({ open, names: serverNames(open) }));
  const having = files.filter(({ names }) => names.includes(name));
  if (having.length === 0) {
    const all = files.flatMap(({ names }) => names);
    const list = all.length === 0 ? 'none' : all.join(', ');
    const file = files.map(({ open }) => open.file).join(', ');
    throw failure('SIGIL_INSTALL_ABSENT', { client: options.client.title, file, name, names: list });
  }
  for (const { open } of having)
    await change(open, { ...options, name, edit: (text) => withoutServer({ ...open, text }, name) });
}

function openSettings({ client, scope, machine }: ChangeOptions): OpenSettings[] {
  const place = client.places[scope];
  if (!place) throw wrongUsage('SIGIL_INSTALL_SCOPE', { client: client.title, scope });
  const files = filesOf(place, machine);
  if (files.length === 0) throw failure('SIGIL_INSTALL_SYSTEM', { client: client.title, platform: machine.platform });
  return files.map((file) => ({ file, place, ...readSettingsFile(file, boundaryOf(scope, machine)) }));
}

/** Settings of a project are in it: the author of a repository may have put links there. Those of the user may be behind links, which stay. */
function boundaryOf(scope: Scope, machine: Machine): string | undefined {
  return scope === 'project' ? machine.project : undefined;
}

interface ServerEdit extends ChangeOptions {
  readonly name: string;
  /** Absent for a removal. */
  readonly written?: WrittenServer;
  readonly edit: (text: string) => string;
}

async function change({ file, text, exists }: OpenSettings, options: ServerEdit): Promise<void> {
  const { shell, edit, written, name, client, scope, machine, questions, isAgreed, isDryRun, signal } = options;
  const { styles } = shell;
  const after = edit(text);
  if (after === text)
    return shell.print(`${styles.good('✓')} ${client.title} has ${name} already: ${shownSettings(file)}`);
  shell.print(styles.bold(`${shownSettings(file)}${exists ? '' : ' (new)'}`));
  shell.print(sources.showChange(text, after, { styles, secrets: written?.secrets ?? [] }).join('\n'));
  if (isDryRun) return shell.print('Nothing was changed: --dry-run.');
  if (questions) {
    const message = written ? `Add ${name} to ${client.title}?` : `Remove ${name} from ${client.title}?`;
    if (!(await questions.confirm(message))) throw stopped();
  } else if (!isAgreed) throw wrongUsage('SIGIL_INSTALL_UNASKED', { file });
  const editNewest = (newest: string): string => {
    // What the user has agreed to is what was shown.
    if (questions && newest !== text) throw failure('SIGIL_INSTALL_CHANGED', { file });
    return edit(newest);
  };
  const { copy } = await changeSettingsFile(file, {
    edit: editNewest,
    within: boundaryOf(scope, machine),
    isSecret: (written?.secrets.length ?? 0) > 0,
    signal,
  });
  shell.print(`${styles.good('✓')} ${client.title}: ${written ? 'added' : 'removed'} ${name}. ${client.afterwards}`);
  if (copy !== undefined) shell.print(`  The file as it was: ${shownSettings(copy)}`);
}

/** A file of a project may be committed: only a user who reads this may put a secret there. */
function warnOfSecrets(
  variables: readonly ServerVariable[],
  { file }: OpenSettings,
  { shell, questions, isDryRun }: ChangeOptions,
): void {
  const secrets = variables.filter(({ value, isSecret }) => isSecret && value !== undefined);
  const names = secrets.map(({ name }) => name).join(', ');
  if (!questions && !isDryRun) throw failure('SIGIL_INSTALL_SECRET', { names, file });
  const { warn } = shell.styles;
  shell.print(
    warn(`${names} is secret, and will be in ${shownSettings(file)}, which belongs to the project. Do not commit it.`),
  );
}

/** What the application will run: settings of applications are commands. */
function describeProgram(
  server: InstalledProgram,
  { client, place }: WrittenPlace,
  { secrets, inputs }: WrittenServer,
): string {
  const command = sources.hide([server.command, ...server.args].map(quoted).join(' '), secrets);
  const lines = [`  It starts: ${command}`];
  if (inputs.length > 0)
    lines.push(`  ${client.title} asks for ${inputs.map(({ description }) => description).join(', ')}.`);
  const isElsewhere = place.secrets === 'reference' || place.secrets === 'forward';
  const elsewhere = server.variables.filter(({ isSecret }) => isSecret && isElsewhere);
  if (elsewhere.length > 0)
    lines.push(
      `  Set ${elsewhere.map(({ name }) => name).join(', ')} in the environment that ${client.title} is started in.`,
    );
  return lines.join('\n');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./${}\\-]+$/.test(word) ? word : JSON.stringify(word);
}

/** @throws CliFailure if the application has no setting for such a server */
export function writeEntry(server: InstalledServer, where: WrittenPlace): WrittenServer {
  return server.kind === 'program' ? writeProgram(server, where) : writeAddress(server, where);
}

function writeProgram(server: InstalledProgram, { client, place }: WrittenPlace): WrittenServer {
  const { name, command, args, variables } = server;
  const env: Record<string, string> = {};
  const inputs: AskedInput[] = [];
  const forwarded: string[] = [];
  for (const variable of variables) {
    const way = variable.isSecret ? place.secrets : 'value';
    if (way === 'input') {
      inputs.push(askFor(server, variable.name));
      env[variable.name] = `\${input:${inputId(server, variable.name)}}`;
    } else if (way === 'forward') forwarded.push(variable.name);
    else if (way === 'reference' && client.reference)
      env[variable.name] = client.reference.replace('*', () => variable.name);
    else if (variable.value !== undefined) env[variable.name] = variable.value;
  }
  const secrets = variables.flatMap(({ isSecret, value }) => (isSecret && value !== undefined ? [value] : []));
  return { entry: entryOf(client.program, { name, command, args, env, forwarded }), inputs, secrets };
}

function writeAddress(server: InstalledAddress, { client, place }: WrittenPlace): WrittenServer {
  const { name, url, tokenVariable } = server;
  if (!client.address) throw failure('SIGIL_INSTALL_NO_ADDRESS', { client: client.title });
  if (tokenVariable === undefined)
    return { entry: entryOf(client.address, { name, url, headers: {} }), inputs: [], secrets: [] };
  const asks = place.secrets === 'input';
  const isNamed = Object.values(client.address).includes('?tokenVariable');
  if (!asks && !isNamed && !client.reference) throw failure('SIGIL_INSTALL_NO_TOKEN', { client: client.title });
  const value = asks
    ? `\${input:${inputId(server, tokenVariable)}}`
    : (client.reference?.replace('*', () => tokenVariable) ?? '');
  const entry = entryOf(client.address, { name, url, headers: { Authorization: `Bearer ${value}` }, tokenVariable });
  return { entry, inputs: asks ? [askFor(server, tokenVariable)] : [], secrets: [] };
}

function askFor(server: InstalledServer, variable: string): AskedInput {
  const description = `${variable} of ${server.name}`;
  return { type: 'promptString', id: inputId(server, variable), description, password: true };
}
