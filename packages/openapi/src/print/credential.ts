/** A security scheme of a document -> variables of the environment, and the code that makes a part of a request of them. */
import { literals, type LooseObject } from '@sigil-mcp/cli/kit';
import { wordsOf } from '../names/words';

/** One way to prove who calls. */
export interface Credential {
  /** Its scheme in the document. */
  readonly scheme: string;
  /** Those that have to be set. */
  readonly variables: readonly string[];
  /** Further variables, which may be left out. */
  readonly more: readonly string[];
  readonly place: 'headers' | 'query' | 'cookies';
  /** Of the header, the parameter or the cookie. */
  readonly name: string;
  /** The code of its value. */
  readonly value: string;
  readonly purpose: string;
}

/** What is known of a scheme before its variables have names. */
export interface CredentialKind {
  readonly scheme: string;
  readonly kind: 'token' | 'key' | 'basic';
  readonly place: Credential['place'];
  readonly name: string;
  readonly isOAuth: boolean;
}

/** The token of an API whose document says nothing of credentials. */
export const PLAIN_TOKEN: CredentialKind = {
  ...{ scheme: 'token', kind: 'token', place: 'headers', name: 'authorization', isOAuth: false },
};

/** Headers that the client or the transport sets. */
const TRANSPORT =
  /^(?:accept|content-.*|host|connection|cookie|transfer-encoding|expect|upgrade|te|trailer|keep-alive)$/;

/** The kind of a scheme; undefined if no variable can hold its credentials. */
export function kindOfScheme(scheme: string, given: LooseObject): CredentialKind | undefined {
  const { type, in: place, name } = given;
  const http = type === 'http' ? String(given['scheme']).toLowerCase() : '';
  const isOAuth = type === 'oauth2' || type === 'openIdConnect';
  const inHeader = { scheme, isOAuth, place: 'headers', name: 'authorization' } as const;
  if (isOAuth || http === 'bearer') return { ...inHeader, kind: 'token' };
  if (http === 'basic') return { ...inHeader, kind: 'basic' };
  if (type !== 'apiKey' || typeof name !== 'string' || name === '') return undefined;
  const key = { scheme, isOAuth, kind: 'key' } as const;
  if (place === 'header') return isHeader(name) ? { ...key, place: 'headers', name: name.toLowerCase() } : undefined;
  if (place === 'query') return { ...key, place, name };
  return place === 'cookie' && isToken(name) ? { ...key, place: 'cookies', name } : undefined;
}

/** Names the variables: after the API, and after the scheme if a kind has several. */
export function nameCredentials(kinds: readonly CredentialKind[], variable: string): Credential[] {
  const taken = new Set([`${variable}_URL`]);
  return kinds.map((given) => {
    const isOnly = kinds.filter(({ kind }) => kind === given.kind).length === 1;
    const own = wordsOf(given.scheme)
      .join('_')
      .toUpperCase()
      .replace(/[^A-Z0-9_]/g, '');
    const base = isOnly || own === '' ? variable : `${variable}_${own}`;
    return credentialOf(given, (ending) => freeName(nameOf(base, ending, isOnly || own === ''), taken));
  });
}

function credentialOf(given: CredentialKind, name: (ending: string) => string): Credential {
  const { scheme, kind, place, isOAuth } = given;
  const rest = { scheme, place, name: given.name };
  if (kind === 'basic') {
    const [user, password] = [name('USERNAME'), name('PASSWORD')];
    const value = `\`Basic \${Buffer.from(\`\${${user}}:\${${password} ?? ''}\`).toString('base64')}\``;
    const purpose = `a name, with ${password} if it has a password`;
    return { ...rest, variables: [user], more: [password], value, purpose };
  }
  const variable = name(kind === 'token' ? 'TOKEN' : 'API_KEY');
  if (kind === 'key') return { ...rest, variables: [variable], more: [], value: variable, purpose: 'a key of the API' };
  const purpose = `a token${isOAuth ? ' of OAuth, which the client does not renew' : ''}, sent as bearer token`;
  return { ...rest, variables: [variable], more: [], value: `\`Bearer \${${variable}}\``, purpose };
}

/** `SHOP_TOKEN`, `SHOP_ADMIN_TOKEN`; a key is called as its scheme. */
function nameOf(base: string, ending: string, isPlain: boolean): string {
  return !isPlain && (ending === 'API_KEY' || base.endsWith(`_${ending}`)) ? base : `${base}_${ending}`;
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  taken.add(free);
  return free;
}

function isHeader(name: string): boolean {
  return isToken(name) && !TRANSPORT.test(name.toLowerCase());
}

function isToken(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);
}

/** The part of a request, as code. */
export function credentialText({ place, name, value }: Credential): string {
  return `{ ${place}: ${literals.literal({ [name]: 0 }).replace(/0 \}$/, `${value} }`)} }`;
}
