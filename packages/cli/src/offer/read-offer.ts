/** From a target to what its server offers: a program of Sigil describes itself, every other server is asked for its lists. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describeProgram, programOf } from '../contract/describe-program';
import { survey, type Survey } from '../inspect/survey';
import { folderOf } from '../project/find-project';
import { withServer, type CommandSessionOptions, type TargetReader } from '../session/session';
import type { ServerTarget } from '../targets/target';
import { interruptible } from '../terminal/interruption';
import { offerOfDescription, placedDescription, type PlacedDescription } from './described-offer';
import type { OfferedServer, OfferedEntry } from './offered-server';

/**
 * Reads what a server offers. A program of Sigil is run up to its start, and no provider is built.
 * @throws CliFailure if there is no server
 */
export async function readOffer(read: TargetReader, options: CommandSessionOptions): Promise<OfferedServer> {
  let target: ServerTarget | undefined;
  const known = async (signal: AbortSignal): Promise<ServerTarget> => (target ??= await read(signal));
  const described = await interruptible(options.shell, async ({ signal }) => {
    const found = await known(signal);
    return isSigilProgram(found) ? describePlaced(found, signal) : undefined;
  });
  return described ? offerOfDescription(described) : offerOfSurvey(await withServer(known, options, survey));
}

/** The description of the server of a program, with the positions of its entries. @throws CliFailure if it defines none */
export async function describePlaced(target: ServerTarget, signal: AbortSignal): Promise<PlacedDescription> {
  const program = programOf(target);
  return placedDescription(await describeProgram(program, signal), folderOf(program.file, program.cwd));
}

function isSigilProgram(target: ServerTarget): boolean {
  return target.kind === 'command' && target.file !== undefined && canLoadCore(target.file);
}

/** Whether a file can load our core: a program of another framework would run, and never describe itself. */
export function canLoadCore(file: string): boolean {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', '@sigil-mcp', 'core', 'dist', 'index.js'))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** The offer of a server as this caller sees it, who is its one audience. */
function offerOfSurvey(met: Survey): OfferedServer {
  const { server, instructions, revisions, tools, resources, resourceTemplates, prompts } = met;
  const entries: readonly OfferedEntry[] = [
    ...tools.map((listed) => ({ kind: 'tool' as const, key: listed.name, listed: { ...listed } })),
    ...resources.map((listed) => ({ kind: 'resource' as const, key: listed.uri, listed: { ...listed } })),
    ...resourceTemplates.map((listed) => ({
      ...{ kind: 'resource-template' as const, key: listed.uriTemplate },
      listed: { ...listed },
    })),
    ...prompts.map((listed) => ({ kind: 'prompt' as const, key: listed.name, listed: { ...listed } })),
  ];
  return {
    name: server?.name ?? 'a server without a name',
    instructions,
    revision: revisions.spoken,
    entries,
    audiences: [{ name: 'this caller', sees: entries }],
  };
}
