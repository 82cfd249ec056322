/** What package.json says about a server, the one source of what is published. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { valid } from 'semver';
import { isObject } from '@sigil-mcp/base';
import { commandFailures, reasonOf } from '@sigil-mcp/cli/kit';

/** A person in package.json. */
export interface Author {
  readonly name: string;
  readonly email?: string;
  readonly url?: string;
}

/** The facts, as far as package.json has them. */
export interface PackageFacts {
  /** The path of package.json. */
  readonly file: string;
  readonly text: string;
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly author: Author | undefined;
  readonly license: string | undefined;
  readonly homepage: string | undefined;
  readonly bugs: string | undefined;
  /** An address that a browser can open. */
  readonly repository: string | undefined;
  readonly keywords: readonly string[];
  /** The range of versions of Node. */
  readonly node: string | undefined;
  readonly mcpName: string | undefined;
  readonly isPrivate: boolean;
  readonly members: Readonly<Record<string, unknown>>;
}

/** @throws CliFailure if the project has no readable package.json */
export function readPackageFacts(folder: string): PackageFacts {
  const file = join(folder, 'package.json');
  const { text, members } = readMembers(file);
  const at = (name: string): string | undefined => {
    const value = members[name];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const { keywords, engines, bugs } = members;
  const version = at('version');
  return {
    ...{ file, text, members },
    ...{ name: at('name'), description: at('description'), license: at('license'), homepage: at('homepage') },
    version: version !== undefined && valid(version) !== null ? version : undefined,
    author: authorOf(members['author']),
    bugs: isObject(bugs) && typeof bugs['url'] === 'string' ? bugs['url'] : at('bugs'),
    repository: repositoryOf(members['repository']),
    keywords: Array.isArray(keywords) ? keywords.filter((word): word is string => typeof word === 'string') : [],
    node: isObject(engines) && typeof engines['node'] === 'string' ? engines['node'] : undefined,
    mcpName: at('mcpName'),
    isPrivate: members['private'] === true,
  };
}

function readMembers(file: string): { readonly text: string; readonly members: Readonly<Record<string, unknown>> } {
  try {
    const text = readFileSync(file, 'utf8');
    const members: unknown = JSON.parse(text);
    return { text, members: isObject(members) ? members : {} };
  } catch (error) {
    throw commandFailures.failure('SIGIL_PROJECT_FILE', { file, reason: reasonOf(error) });
  }
}

/** `Ada <ada@example.com> (https://example.com)`, or an object. */
function authorOf(author: unknown): Author | undefined {
  if (typeof author === 'string') {
    const [, name = '', email, url] = /^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(author) ?? [];
    return name.trim() === '' ? undefined : { name: name.trim(), ...(email && { email }), ...(url && { url }) };
  }
  if (!isObject(author) || typeof author['name'] !== 'string') return undefined;
  const { name, email, url } = author;
  return {
    name,
    ...(typeof email === 'string' && { email }),
    ...(typeof url === 'string' && { url }),
  };
}

/** `github:you/notes`, `you/notes`, `git+https://…/notes.git`, `git@github.com:you/notes.git` -> `https://…/notes` */
function repositoryOf(repository: unknown): string | undefined {
  const typed = isObject(repository) ? repository['url'] : repository;
  if (typeof typed !== 'string') return undefined;
  const [, short] = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(typed) ?? [];
  if (short !== undefined) return `https://github.com/${short}`;
  const url = typed
    .replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/^git:\/\//, 'https://')
    .replace(/\.git$/, '');
  return /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined;
}
