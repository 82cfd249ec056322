/** How the settings of an API read its address and its credentials from the environment. */
import { isObject } from '@sigil-mcp/base';
import type { ApiDocument } from '../document/read-document';
import { wordsOf } from '../names/words';
import type { ApiNames } from './api-names';
import { literal, memberName, quoted } from './literals';

/** The code that reads the environment, with the variables that it reads. */
export interface PrintedCredentials {
  readonly code: string;
  /** With what each is for. */
  readonly variables: readonly (readonly [name: string, purpose: string])[];
  /** Kinds of credentials that no variable can hold. */
  readonly unknown: readonly string[];
}

/** One way to prove who calls. */
interface Credential {
  readonly variables: readonly string[];
  /** Further variables, which may be left out. */
  readonly more: readonly string[];
  readonly place: 'headers' | 'query' | 'cookies';
  readonly name: string;
  readonly value: string;
  readonly purpose: string;
}

/** Prints it. An API that says nothing of credentials gets a token if there is one. */
export function printCredentials({ root, pointers, server }: ApiDocument, names: ApiNames): PrintedCredentials {
  const { variable } = names;
  const components = isObject(root['components']) ? root['components'] : {};
  const schemes = isObject(components['securitySchemes']) ? Object.entries(components['securitySchemes']) : [];
  const unknown: string[] = [];
  const read = schemes.flatMap(([name, given]) => {
    const scheme = pointers.follow(given)?.value ?? {};
    const several = schemes.filter(([, each]) => pointers.follow(each)?.value['type'] === 'apiKey').length > 1;
    const key = several ? `${variable}_${wordsOf(name).join('_').toUpperCase()}` : `${variable}_API_KEY`;
    const credential = credentialOf(scheme, variable, key);
    if (!credential) unknown.push(name);
    return credential ?? [];
  });
  const credentials = schemes.length === 0 ? [bearer(variable)] : read.filter(isFirst);
  const purpose =
    server === undefined ? 'the address of the API, which the document does not say' : 'another address of the API';
  return {
    code: codeFor(credentials, names, server),
    variables: [
      [`${variable}_URL`, purpose],
      ...credentials.flatMap((each) => each.variables.map((name) => [name, each.purpose] as const)),
    ],
    unknown,
  };
}

function codeFor(
  credentials: readonly Credential[],
  { variable, pascal }: ApiNames,
  server: string | undefined,
): string {
  const places = ['headers', 'query', 'cookies'] as const;
  const used = places.filter((place) => credentials.some((each) => each.place === place));
  const inEnvironment = [`${variable}_URL`, ...credentials.flatMap((each) => [...each.variables, ...each.more])];
  const url = server === undefined ? `${variable}_URL` : `${variable}_URL || ${quoted(server)}`;
  const missing = `throw new Error('Set ${variable}_URL to the address of the API.');`;
  const lines = [
    `const { ${inEnvironment.join(', ')} } = env;`,
    ...(server === undefined ? [`if (!${variable}_URL) ${missing}`] : []),
    ...used.map((place) => `const ${place}: Record<string, string> = {};`),
    ...credentials.map(lineFor),
    `return new ${pascal}Settings({ ${[`url: ${url}`, ...used].join(', ')} });`,
  ];
  return lines.map((line) => `    ${line}`).join('\n');
}

function lineFor({ variables, place, name, value }: Credential): string {
  const target = memberName(name) === name ? `${place}.${name}` : `${place}[${literal(name)}]`;
  // Several kinds of credentials may use this header; the first that is set counts.
  return `if (${variables.join(' && ')}) ${target} ${name === 'authorization' ? '??=' : '='} ${value};`;
}

function credentialOf(
  scheme: Readonly<Record<string, unknown>>,
  variable: string,
  key: string,
): Credential | undefined {
  const { type, in: place, name } = scheme;
  if (type === 'oauth2' || type === 'openIdConnect') return bearer(variable);
  if (type === 'http' && String(scheme['scheme']).toLowerCase() === 'bearer') return bearer(variable);
  if (type === 'http' && String(scheme['scheme']).toLowerCase() === 'basic') return basic(variable);
  if (type !== 'apiKey' || typeof name !== 'string') return undefined;
  const rest = { variables: [key], more: [], value: key, purpose: 'a key of the API' };
  if (place === 'header') return { ...rest, place: 'headers', name: name.toLowerCase() };
  if (place === 'query') return { ...rest, place, name };
  return place === 'cookie' ? { ...rest, place: 'cookies', name } : undefined;
}

function bearer(variable: string): Credential {
  const name = `${variable}_TOKEN`;
  const value = `\`Bearer \${${name}}\``;
  return {
    variables: [name],
    place: 'headers',
    name: 'authorization',
    value,
    purpose: 'a token, sent as bearer token',
    more: [],
  };
}

function basic(variable: string): Credential {
  const [user, password] = [`${variable}_USERNAME`, `${variable}_PASSWORD`];
  const value = `\`Basic \${Buffer.from(\`\${${user}}:\${${password} ?? ''}\`).toString('base64')}\``;
  const purpose = `a name, with ${password} if it has a password`;
  return { variables: [user], more: [password], place: 'headers', name: 'authorization', value, purpose };
}

function isFirst({ variables }: Credential, index: number, all: readonly Credential[]): boolean {
  return all.findIndex((other) => other.variables[0] === variables[0]) === index;
}
