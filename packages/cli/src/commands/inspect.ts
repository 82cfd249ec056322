/** `sigil inspect`: what a model sees of a server. */
import type { Command as Program } from 'commander';
import { HANDSHAKE_REVISIONS } from '@sigil-mcp/protocol';
import { costData, describeCost } from '../budget/describe-cost';
import { offerCost } from '../budget/offer-cost';
import { Sources } from '../causes/find-member';
import type { DeclaredEntry } from '../declared/declared-entries';
import { describeServer, listsNothing } from '../inspect/describe-server';
import { survey, type Survey } from '../inspect/survey';
import type { PlacedDescription } from '../offer/described-offer';
import { describePlaced, readOffer } from '../offer/read-offer';
import { folderOf } from '../project/find-project';
import { nameOfPosition } from '../project/show-position';
import { reportingTarget } from '../targets/read-target';
import { interruptible, wasInterrupted } from '../terminal/interruption';
import { withServer, type CommandSessionOptions, type TargetReader } from '../session/session';
import type { ServerTarget } from '../targets/target';
import { exact, loadTokenizer } from '../tokens/count-tokens';
import { sessionOptions, typedTarget, withSessionOptions, type ParsedSessionOptions } from './session-options';
import type { Shell } from '../terminal/shell';

interface InspectOptions extends ParsedSessionOptions {
  readonly json: boolean;
  readonly cost: boolean;
}

type ReadInspectOptions = InspectOptions & CommandSessionOptions;

/** Adds the command. */
export function registerInspect(program: Program, shell: Shell): void {
  const command = program
    .command('inspect')
    .summary('show what a model sees of a server')
    .description(
      'Shows what a model sees of a server: its tools, resources and prompts. The target is a URL, a file, or a command ' +
        'after --; without one, the project in the current folder.',
    )
    .argument('[target...]', 'such as src/main.ts, http://127.0.0.1:3000/mcp or -- npx some-server')
    .option('--json', 'print everything as JSON; of a project, also what its program says of each entry', false)
    .option('--cost', 'show what each definition costs a model, in tokens', false);
  withSessionOptions(command).action(async (words: string[], options: InspectOptions) => {
    const target = typedTarget(shell, words, command);
    await (options.cost ? inspectCost : inspect)(target, sessionOptions(shell, options));
  });
}

/** Shows the tokens of every definition, list and audience. */
async function inspectCost(readTarget: TargetReader, options: ReadInspectOptions): Promise<void> {
  const { shell } = options;
  const count = exact(loadTokenizer(shell.cwd));
  const offer = await readOffer(readTarget, options);
  const cost = offerCost(offer, count);
  if (options.json) return shell.printJson({ server: offer.name, revision: offer.revision, ...costData(cost) });
  shell.print(describeCost(offer.name, cost, { width: shell.width, styles: shell.styles }).join('\n'));
}

async function inspect(readTarget: TargetReader, options: ReadInspectOptions): Promise<void> {
  const { shell } = options;
  let target: ServerTarget | undefined;
  const read = async (signal: AbortSignal): Promise<ServerTarget> => (target ??= await readTarget(signal));
  let declared: readonly DeclaredEntry[] | undefined;
  const reporting = async (signal: AbortSignal): Promise<ServerTarget> => reportingTarget(await read(signal));
  const met = await withServer(reporting, { ...options, onEntries: (entries) => (declared = entries) }, survey);
  const seen = {
    ...met,
    ...(declared && { declared }),
    revisions: { ...met.revisions, handshake: await handshakesOf(read, met, options) },
  };
  if (options.json)
    return shell.printJson({ ...seen, ...(declared && { description: await descriptionOf(shell, read) }) });
  const definition = listsNothing(seen) ? findDefinition(target) : undefined;
  shell.print(describeServer(seen, { width: shell.width, styles: shell.styles }, definition).join('\n'));
}

/** What the program of a server says of itself, which was found to be ours. */
function descriptionOf(shell: Shell, read: TargetReader): Promise<PlacedDescription> {
  return interruptible(shell, async ({ signal }) => describePlaced(await read(signal), signal));
}

/** The call of `createServer` in the sources of a project, such as `src/server.ts:4:23`. */
function findDefinition(target: ServerTarget | undefined): string | undefined {
  if (target?.kind !== 'command' || target.file === undefined) return undefined;
  const folder = folderOf(target.file, target.cwd);
  const position = new Sources(folder).findCall('createServer');
  return position && nameOfPosition(position, folder);
}

/** The time limit, in seconds, for asking which revisions a server serves to older clients. */
const SECOND_LOOK = 5;

/** The revisions that a server serves after a handshake: it is asked for each of them, if this connection had none. */
async function handshakesOf(
  target: TargetReader,
  { revisions }: Survey,
  options: CommandSessionOptions,
): Promise<readonly string[]> {
  if (revisions.offered.length === 0) return revisions.handshake;
  const timeout = Math.min(options.timeout ?? SECOND_LOOK, SECOND_LOOK);
  const asked = HANDSHAKE_REVISIONS.map(({ version: handshake }) =>
    withServer(target, { ...options, timeout, handshake }, async ({ client }) => [client.revision]).catch(
      (error: unknown) => {
        if (wasInterrupted(error)) throw error;
        return [];
      },
    ),
  );
  return (await Promise.all(asked)).flat().sort().reverse();
}
