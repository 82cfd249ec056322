/** The versions of a tool: since when it is there, whether it is deprecated, and its old names. Loaded for tools that say so. */
import { isObject, nameValue, type ErrorWords } from '@sigil-mcp/base';
import type { Tool } from '@sigil-mcp/protocol';
import type { RenamedTool, ToolOptions } from '../decorators/tool';
import { checkWords, wordsFor } from '../errors/catalogue';
import { listedName, reportMember, type Member, type ToolAlias, type ToolVersions } from '../members/member';

/** The keys of `_meta` under which clients see them. */
const SINCE_KEY = 'dev.sigil/since';
const DEPRECATED_KEY = 'dev.sigil/deprecated';

/** A version of semantic versioning. @see https://semver.org/#is-there-a-suggested-regular-expression-regex-to-check-a-semver-string */
const VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/;

/**
 * Reads the options of one tool.
 * @param name of the tool, as clients see it
 * @returns undefined if there is a problem with them, which has been reported
 */
export function readVersions(
  member: Member,
  name: string,
  { since, deprecated, replaces = [] }: Pick<ToolOptions, 'since' | 'deprecated' | 'replaces'>,
): ToolVersions | undefined {
  const aliases = readAliases(member, name, replaces);
  const isInOrder = [
    aliases !== undefined,
    checkSince(member, since),
    deprecated === undefined || checkWords({ deprecated }, member.where, member.report),
  ].every(Boolean);
  if (!isInOrder || !aliases) return undefined;
  return { ...(since !== undefined && { since }), ...(deprecated !== undefined && { deprecated }), aliases };
}

/** The definition as lists show it: the words for models are a paragraph of their own, and what the author wrote in `meta` counts first. */
export function withVersions(definition: Tool, { since, deprecated }: ToolVersions): Tool {
  if (since === undefined && deprecated === undefined) return definition;
  const said = {
    ...(since !== undefined && { [SINCE_KEY]: since }),
    ...(deprecated !== undefined && { [DEPRECATED_KEY]: deprecated }),
  };
  const { description = '' } = definition;
  return {
    ...definition,
    ...(deprecated !== undefined && { description: `${description}\n\nDeprecated: ${deprecated}` }),
    _meta: { ...said, ...definition._meta },
  };
}

function checkSince(member: Member, since: unknown): boolean {
  if (since === undefined || (typeof since === 'string' && VERSION.test(since))) return true;
  return report(member, wordsFor('SIGIL_TOOL_SINCE', { since: shown(since) }));
}

/** JavaScript, or a cast, may pass any value. */
function readAliases(member: Member, name: string, replaces: unknown): readonly ToolAlias[] | undefined {
  if (!Array.isArray(replaces)) {
    report(member, wordsFor('SIGIL_REPLACES', { value: shown(replaces) }));
    return undefined;
  }
  const met = new Set<string>();
  const aliases = Array.from(replaces, (value: unknown) => readAlias(member, value)).filter(
    (alias) => alias !== undefined && isFree(member, alias.name, name, met),
  );
  return aliases.length === replaces.length ? (aliases as readonly ToolAlias[]) : undefined;
}

function readAlias(member: Member, value: unknown): ToolAlias | undefined {
  const { name, arguments: convert, ...others } = partsOf(value);
  if (!isName(member, name)) {
    report(member, wordsFor('SIGIL_REPLACED_NAME', { name: shown(name) }));
    return undefined;
  }
  const [odd] = Object.keys(others);
  if (odd !== undefined) {
    report(member, wordsFor('SIGIL_REPLACED_MEMBER', { name: shown(name), member: odd }));
    return undefined;
  }
  if (convert !== undefined && typeof convert !== 'function') {
    report(member, wordsFor('SIGIL_REPLACED_ARGUMENTS', { name: shown(name), value: nameValue(convert) }));
    return undefined;
  }
  return { name: listedName(member, name), convert: convert as ToolAlias['convert'] };
}

function partsOf(value: unknown): Readonly<Partial<Record<keyof RenamedTool, unknown>>> {
  return isObject(value) && !Array.isArray(value) ? value : { name: value };
}

function isName(member: Member, name: unknown): name is string {
  return typeof name === 'string' && /^[A-Za-z0-9_.-]{1,128}$/.test(listedName(member, name)) && name !== '';
}

/** Whether an old name is neither that of the tool itself nor there twice. */
function isFree(member: Member, alias: string, name: string, met: Set<string>): boolean {
  if (alias === name) return report(member, wordsFor('SIGIL_REPLACES_ITSELF', { name: shown(alias) }));
  if (met.has(alias)) return report(member, wordsFor('SIGIL_REPLACED_TWICE', { name: shown(alias), other: 'it' }));
  met.add(alias);
  return true;
}

function report(member: Member, words: ErrorWords): false {
  reportMember(member, words);
  return false;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : nameValue(value);
}
