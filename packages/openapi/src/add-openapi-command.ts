/** `sigil add openapi`: tools of an API that has an OpenAPI document. */
import { interruptible, readProject, type FillCommand, type Shell } from '@sigil-mcp/cli/kit';
import { addOpenApi } from './add-openapi';
import { askOperations } from './choice/ask-operations';

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

/** What comes after `sigil add openapi`. */
export const fillAddOpenApi: FillCommand = (command, shell) => {
  command
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
};

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
  await interruptible(shell, async ({ signal }) => {
    await addOpenApi(project, order, { shell, signal, pick: shell.canAsk ? askOperations(shell, signal) : undefined });
  });
}

function gather(text: string, before: readonly string[]): string[] {
  return [...before, text];
}
