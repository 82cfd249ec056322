/** The values of the variables of a server: from `--env`, from the settings that are there, from the example, or asked for. */
import { isObject } from '@sigil-mcp/base';
import { isSecretName, isSecretValue, type ExampleVariable } from '@sigil-mcp/cli/kit';
import type { SettingsEntry, SecretWay, ServerVariable } from './client';
import { wrongUsage } from './errors';

/** Asks the user for the value of a variable. */
export type AskValue = (variable: ExampleVariable) => Promise<string>;

/** Where values come from. */
export interface ValueSources {
  /** Values of `--env`. */
  readonly given: Readonly<Record<string, string>>;
  readonly example: readonly ExampleVariable[];
  /** The entry of the server that is there. */
  readonly before: SettingsEntry | undefined;
  /** How secrets get to the server. */
  readonly secrets: SecretWay;
  /** Whether the file belongs to the project, and may be committed: a value is as secret there as one, unless the example has it. */
  readonly isShared: boolean;
  /** Absent without a terminal. */
  readonly ask: AskValue | undefined;
  /** Takes placeholders for missing values. */
  readonly isDryRun: boolean;
}

/** @throws CliFailure if a value is missing that cannot be asked for */
export async function gatherValues(sources: ValueSources): Promise<ServerVariable[]> {
  const { given, example, secrets, isShared, ask, isDryRun } = sources;
  const isKept = (value: string, known: ExampleVariable | undefined): boolean =>
    isSecretValue(value) || (isShared && value !== known?.value);
  const kept = variablesOf(sources.before);
  const variables: ServerVariable[] = [];
  const missing: string[] = [];
  for (const variable of example) {
    const { name, isSecret, isOptional } = variable;
    if (Object.hasOwn(given, name)) continue;
    const isElsewhere = isSecret && secrets !== 'value';
    if (isElsewhere && !isOptional) variables.push({ name, isSecret });
    if (isElsewhere || isOptional || kept.has(name)) continue;
    const value = ask && !isDryRun ? await ask(variable) : isSecret ? '' : variable.value;
    if (value !== '') variables.push({ name, value, isSecret: isSecret || isKept(value, variable) });
    else if (isDryRun) variables.push({ name, value: `<${name}>`, isSecret: false });
    else missing.push(name);
  }
  if (missing.length > 0) throw wrongUsage('SIGIL_INSTALL_VALUES', { names: missing.join(', ') });
  const typed = Object.entries(given).map(([name, value]) => {
    const known = example.find((one) => one.name === name);
    return { name, value, isSecret: (known?.isSecret ?? isSecretName(name)) || isKept(value, known) };
  });
  return [...variables, ...typed];
}

/** The variables of an entry that is there. */
function variablesOf(entry: SettingsEntry | undefined): ReadonlySet<string> {
  const names = ['env', 'envs'].flatMap((member) => {
    const held = entry?.[member];
    return isObject(held) ? Object.keys(held) : [];
  });
  return new Set(names);
}
