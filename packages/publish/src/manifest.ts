/** The manifest of an MCPB bundle. @see https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md */
import type { ExampleVariable, Survey } from '@sigil-mcp/cli/kit';
import { failure } from './errors';
import type { Author, PackageFacts } from './package-facts';
import { SERVER_FOLDER } from './packed-server';

/** The version of the format. */
const MANIFEST_VERSION = '0.3';

/** What a manifest is made of. */
export interface ManifestSource {
  readonly facts: PackageFacts;
  readonly seen: Survey;
  readonly variables: readonly ExampleVariable[];
  /** The file of the server, in its folder. */
  readonly main: string;
  /** The only systems that the bundle runs on; all if empty. */
  readonly platforms: readonly string[];
  /** The path of a picture in the archive. */
  readonly icon: string | undefined;
}

/** What package.json must have. */
export interface RequiredFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly author: Author;
}

/** @throws CliFailure that lists what package.json lacks */
export function writeManifest(source: ManifestSource): Readonly<Record<string, unknown>> {
  const { facts, seen, variables, main, icon } = source;
  const { name, version, description, author } = checkFacts(facts);
  const title = seen.server?.title;
  const asked = variables.filter(({ isOptional }) => !isOptional);
  return {
    manifest_version: MANIFEST_VERSION,
    name: name.replace(/^@[^/]*\//, ''),
    ...(title !== undefined && title !== '' && { display_name: title }),
    ...{ version, description, author },
    ...(facts.repository !== undefined && { repository: { type: 'git', url: facts.repository } }),
    ...urlMember('homepage', facts.homepage),
    ...urlMember('support', facts.bugs),
    ...(icon !== undefined && { icon }),
    server: {
      type: 'node',
      entry_point: `${SERVER_FOLDER}/${main}`,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${SERVER_FOLDER}/${main}`],
        env: Object.fromEntries(asked.map((variable) => [variable.name, `\${user_config.${keyOf(variable)}}`])),
      },
    },
    tools: seen.tools.map(({ name: tool, description: text }) => ({ name: tool, ...(text && { description: text }) })),
    // Listed prompts would need their texts, which the server makes from their arguments.
    ...(seen.prompts.length > 0 && { prompts_generated: true }),
    ...(facts.keywords.length > 0 && { keywords: facts.keywords }),
    ...(facts.license !== undefined && { license: facts.license }),
    compatibility: {
      ...(source.platforms.length > 0 && { platforms: source.platforms }),
      runtimes: { node: facts.node ?? '>=20.19' },
    },
    ...(asked.length > 0 && { user_config: Object.fromEntries(asked.map((one) => [keyOf(one), settingOf(one)])) }),
  };
}

/** What every manifest has. @throws CliFailure that lists what package.json lacks */
export function checkFacts(facts: PackageFacts): RequiredFacts {
  const { name, version, description, author, file } = facts;
  const wanted = { name, version, description, author };
  const missing = Object.entries(wanted).flatMap(([member, value]) => (value === undefined ? [`"${member}"`] : []));
  if (name === undefined || version === undefined || description === undefined || author === undefined)
    throw failure('SIGIL_PACK_FACTS', { file, members: missing.join(', ') });
  return { name, version, description, author };
}

function urlMember(name: string, url: string | undefined): Readonly<Record<string, string>> {
  return url !== undefined && URL.canParse(url) ? { [name]: url } : {};
}

function keyOf({ name }: ExampleVariable): string {
  return name.toLowerCase();
}

/** The setting for a variable, as the application asks for it. */
function settingOf({ name, description, value, isSecret }: ExampleVariable): Readonly<Record<string, unknown>> {
  return {
    type: 'string',
    title: name,
    description: description === '' ? `The environment variable ${name} of the server` : description,
    required: true,
    ...(isSecret ? { sensitive: true } : value !== '' && { default: value }),
  };
}
