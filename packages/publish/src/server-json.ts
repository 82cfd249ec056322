/**
 * The description of a server for the MCP registry, and what is wrong with one: the rules of the schema of 2025-12-11 and of the registry,
 * each with its fix.
 * @see https://github.com/modelcontextprotocol/registry/blob/main/docs/reference/server-json/generic-server-json.md
 */
import { valid } from 'semver';
import { isObject } from '@sigil-mcp/base';
import type { ExampleVariable } from '@sigil-mcp/cli/kit';
import type { PackageFacts } from './package-facts';

/** The schema that descriptions follow. */
export const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

const NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;
const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 100;
const LONGEST_TITLE = 100;
const LONGEST_VERSION = 255;
/** The only key of `_meta` that the registry keeps. */
const PUBLISHER_META = 'io.modelcontextprotocol.registry/publisher-provided';
const TRANSPORTS = ['stdio', 'streamable-http', 'sse'];

/** A mistake, and how to fix it. */
export interface PublishProblem {
  /** For messages. */
  readonly file: string;
  readonly problem: string;
  readonly fix: string;
}

/** The members of a description. */
export type ServerJson = Readonly<Record<string, unknown>>;

/** What a description is made of. */
export interface ServerJsonSource {
  readonly facts: PackageFacts;
  readonly mcpName: string;
  /** The title that the server says. */
  readonly title: string | undefined;
  readonly variables: readonly ExampleVariable[];
  /** Whether it has no package, because it runs on a host. */
  readonly isHosted: boolean;
  /** The description that is there: what has no source elsewhere is kept. */
  readonly before: ServerJson;
}

/** The description; what the user has added to the one that is there stays. */
export function writeServerJson(source: ServerJsonSource): ServerJson {
  const { facts, mcpName, title, before, isHosted } = source;
  const { version, description, repository } = facts;
  const old = packagesOf(before).find((one) => one['registryType'] === 'npm');
  const others = packagesOf(before).filter((one) => one !== old);
  const packages = isHosted ? others : [npmPackage(source, old), ...others];
  const host = repository === undefined ? undefined : sourceOf(repository);
  const placed = isObject(before['repository']) ? before['repository'] : {};
  return {
    $schema: SERVER_SCHEMA,
    name: mcpName,
    ...(title !== undefined && title !== '' && { title }),
    description,
    version,
    ...(host !== undefined && { repository: { ...placed, url: repository, source: host } }),
    ...(facts.homepage !== undefined && { websiteUrl: facts.homepage }),
    ...rest(before, [
      '$schema',
      'name',
      'description',
      'version',
      'packages',
      ...(host === undefined ? [] : ['repository']),
    ]),
    ...(packages.length > 0 && { packages }),
  };
}

/** The package on npm; how it is started is what the user has written. */
function npmPackage(
  { facts: { name, version }, variables }: ServerJsonSource,
  old: ServerJson | undefined,
): ServerJson {
  return {
    registryType: 'npm',
    identifier: name,
    version,
    transport: { type: 'stdio' },
    ...rest(old ?? {}, ['registryType', 'identifier', 'version', 'environmentVariables']),
    ...variablesMember(variables, old),
  };
}

/** A rule: whether an object keeps it, what is wrong otherwise, and the fix. */
type ServerRule = readonly [isKept: (members: ServerJson) => boolean, problem: string, fix: string];

const SERVER_RULES: readonly ServerRule[] = [
  [
    ({ name }) => isText(name, 3, LONGEST_NAME) && NAME.test(name),
    '"name" is no name such as io.github.you/notes',
    'Set "mcpName" in package.json.',
  ],
  [
    ({ description }) => isText(description, 1, LONGEST_DESCRIPTION),
    `"description" does not have 1 to ${LONGEST_DESCRIPTION} characters`,
    'Change "description" in package.json.',
  ],
  [
    ({ version }) => isText(version, 1, LONGEST_VERSION) && valid(version) !== null,
    '"version" is no single version',
    'Change "version" in package.json.',
  ],
  [
    ({ title }) => title === undefined || isText(title, 1, LONGEST_TITLE),
    `"title" does not have 1 to ${LONGEST_TITLE} characters`,
    'Change the title of the server.',
  ],
  [({ websiteUrl }) => isWebAddress(websiteUrl), '"websiteUrl" is no URL', 'Change "homepage" in package.json.'],
  [
    ({ repository }) =>
      repository === undefined ||
      (isObject(repository) && isWebAddress(repository['url'], true) && isText(repository['source'], 1)),
    '"repository" has no "url" and "source"',
    'Change "repository" in package.json.',
  ],
  [
    ({ packages = [] }) => Array.isArray(packages) && packages.every(isObject),
    '"packages" is not a list of objects',
    'Remove it: sigil publish --check writes it.',
  ],
  [
    ({ remotes = [] }) => Array.isArray(remotes) && remotes.every(isRemote),
    '"remotes" has one without a "type" and a "url"',
    'Write { "type": "streamable-http", "url": "https://…" }.',
  ],
  [
    ({ _meta = {} }) => isObject(_meta) && Object.keys(_meta).every((key) => key === PUBLISHER_META),
    '"_meta" has a key that the registry drops',
    `Use the key ${PUBLISHER_META}.`,
  ],
];

const PACKAGE_RULES: readonly ServerRule[] = [
  [({ registryType }) => isText(registryType, 1), 'has no "registryType"', 'Write "npm", for example.'],
  [({ identifier }) => isText(identifier, 1), 'has no "identifier"', 'Write the name of the package.'],
  [
    ({ version }) => version === undefined || (isText(version, 1) && valid(version) !== null),
    'has a "version" that is no single version',
    'Write one version, and no range.',
  ],
  [
    ({ transport }) => isObject(transport) && TRANSPORTS.includes(String(transport['type'])),
    `has a "transport" without a "type" of ${TRANSPORTS.join(', ')}`,
    'Write { "type": "stdio" }.',
  ],
  [
    ({ transport }) => !isObject(transport) || transport['type'] === 'stdio' || isText(transport['url'], 1),
    'has a "transport" without a "url"',
    'Write the URL that the package serves on.',
  ],
  [
    ({ environmentVariables = [] }) =>
      Array.isArray(environmentVariables) &&
      environmentVariables.every((variable) => isObject(variable) && isText(variable['name'], 1)),
    'has a variable without a "name" in "environmentVariables"',
    'Change .env.example, which they are made of.',
  ],
  [
    ({ registryType, fileSha256 }) =>
      registryType !== 'mcpb' || (isText(fileSha256, 64, 64) && /^[a-f0-9]+$/.test(fileSha256)),
    'has no "fileSha256"',
    'Write the SHA-256 of the .mcpb file.',
  ],
];

/** The mistakes of a description. @param file for messages */
export function findServerJsonProblems(server: ServerJson, file: string): PublishProblem[] {
  const broken = (rules: readonly ServerRule[], members: ServerJson, place: string): PublishProblem[] =>
    rules.flatMap(([isKept, problem, fix]) => (isKept(members) ? [] : [{ file, problem: place + problem, fix }]));
  return [
    ...broken(SERVER_RULES, server, ''),
    ...packagesOf(server).flatMap((one, index) => broken(PACKAGE_RULES, one, `packages[${index}] `)),
  ];
}

/** `https://github.com/you/notes` -> `io.github.you/notes`, the name that a sign-in with GitHub may publish. */
export function proposeMcpName({ repository, name }: PackageFacts): string | undefined {
  const [, owner] = /^https:\/\/github\.com\/([\w-]+)\//.exec(repository ?? '') ?? [];
  const own = name?.replace(/^@[^/]*\//, '');
  return owner === undefined || own === undefined ? undefined : `io.github.${owner}/${own}`;
}

/** The packages of a description. */
export function packagesOf(server: ServerJson): ServerJson[] {
  const { packages } = server;
  return Array.isArray(packages) ? packages.filter(isObject) : [];
}

/** The variables of `.env.example`; what the user has added to one stays. */
function variablesMember(variables: readonly ExampleVariable[], old: ServerJson | undefined): ServerJson {
  const held = old?.['environmentVariables'];
  const before = Array.isArray(held) ? held.filter(isObject) : [];
  if (variables.length === 0) return before.length === 0 ? {} : { environmentVariables: before };
  return {
    environmentVariables: variables.map(({ name, description, value, isSecret, isOptional }) => ({
      name,
      ...(description !== '' && { description }),
      ...(isOptional ? {} : { isRequired: true }),
      ...(isSecret ? { isSecret: true } : value !== '' && { default: value }),
      ...rest(before.find((one) => one['name'] === name) ?? {}, ['name', 'isRequired', 'isSecret']),
    })),
  };
}

/** The identifier of a host of repositories. */
function sourceOf(repository: string): string | undefined {
  const { hostname } = new URL(repository);
  if (hostname === 'github.com') return 'github';
  return hostname === 'gitlab.com' ? 'gitlab' : undefined;
}

function rest(members: ServerJson, without: readonly string[]): ServerJson {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !without.includes(name)));
}

function isText(value: unknown, shortest: number, longest = Infinity): value is string {
  return typeof value === 'string' && value.length >= shortest && value.length <= longest;
}

function isWebAddress(value: unknown, isRequired = false): boolean {
  if (value === undefined) return !isRequired;
  return typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value);
}

function isRemote(value: unknown): boolean {
  return isObject(value) && TRANSPORTS.slice(1).includes(String(value['type'])) && isText(value['url'], 1);
}
