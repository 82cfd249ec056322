/** `sigil add openapi`: tools of an API that has an OpenAPI document. */
import type { Command as Program } from 'commander';
import { readProject } from '../add/read-project';
import type * as Generator from '../openapi/add-openapi';
import type * as Choice from '../openapi/choice/ask-operations';
import { interruptible } from '../terminal/interruption';
import type { Shell } from '../terminal/shell';

interface AddOpenApiOptions {
  readonly tag: readonly string[];
  readonly only: readonly string[];
  readonly all?: boolean;
  readonly rules?: string;
  readonly name?: string;
  readonly server?: string;
  readonly dryRun?: boolean;
  readonly check?: boolean;
  readonly remarks?: boolean;
}

const EXAMPLES = `
Examples:
  sigil add openapi petstore.yaml                       at a terminal, asks which operations
  sigil add openapi https://api.example.com/openapi.json --tag orders
  sigil add openapi github.json --only "issues/*" --only "GET /repos/{owner}/{repo}"
  sigil add openapi github.json --rules github.rules.yaml
  sigil add openapi                                     again, with the document and the choice of the last run
  sigil add openapi --check                             fails if the document has changed

The code is yours: a later run keeps what you have changed, and says where the document says something else now.`;

/** Adds the command below `sigil add`. */
export function registerAddOpenApi(add: Program, shell: Shell): void {
  add
    .command('openapi')
    .summary('add tools for the operations of an OpenAPI document')
    .description(
      'Writes features, DTO classes and a client for an API that has a document of OpenAPI 3.0 or 3.1, with their tests. ' +
        'Without a document, that of the last run.',
    )
    .argument('[document]', 'a file or a URL, JSON or YAML')
    .option('-t, --tag <tag>', 'operations of a tag; may be repeated', gather, [])
    .option('--only <pattern>', 'an operationId, a path, or a method with a path; * and ** fit anything', gather, [])
    .option('--all', 'every operation of the document')
    .option('--rules <file>', 'names, fields, hidden and fixed arguments, as YAML or JSON')
    .option('--name <name>', 'the folder of the API (default: from the title of the document)')
    .option('--server <url>', 'the address of the API, if the document does not say it')
    .option('--dry-run', 'show the changes, and write nothing')
    .option('--check', 'write nothing, and fail if the document has changed')
    .option('--remarks', 'show everything that tools cannot say as the document does')
    .addHelpText('after', EXAMPLES)
    .action((document: string | undefined, options: AddOpenApiOptions) => run(shell, document, options));
}

async function run(shell: Shell, document: string | undefined, options: AddOpenApiOptions): Promise<void> {
  const { tag, only, rules, name, server } = options;
  const order = {
    ...{ document, rules, name, server, only, tags: tag },
    all: options.all === true,
    isDryRun: options.dryRun === true,
    isCheck: options.check === true,
    allRemarks: options.remarks === true,
  };
  const project = readProject(shell.cwd);
  const { addOpenApi, askOperations } = loadGenerator();
  await interruptible(shell, async ({ signal }) => {
    await addOpenApi(project, order, { shell, signal, pick: shell.canAsk ? askOperations(shell, signal) : undefined });
  });
}

/** Loaded when it is needed: the command line also runs where the peers of core are not installed. */
function loadGenerator(): typeof Generator & typeof Choice {
  /* eslint-disable @typescript-eslint/no-require-imports -- imports at the top would load it for every command */
  const generator = require('../openapi/add-openapi') as typeof Generator;
  const choice = require('../openapi/choice/ask-operations') as typeof Choice;
  /* eslint-enable @typescript-eslint/no-require-imports */
  return { ...generator, ...choice };
}

function gather(text: string, before: readonly string[]): string[] {
  return [...before, text];
}
