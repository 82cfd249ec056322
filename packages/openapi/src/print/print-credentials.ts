/** How the settings of an API read its address and its credentials from the environment. */
import { literals } from '@sigil-mcp/cli/kit';
import type { ApiNames } from './api-names';
import { credentialText, type Credential } from './credential';
import type { CredentialPlan } from './plan-credentials';

/** The code that reads the environment, with the variables that it reads. */
export interface PrintedCredentials {
  readonly code: string;
  /** With what each is for. */
  readonly variables: readonly (readonly [name: string, purpose: string])[];
}

/** Prints it. @param server the address of the API; undefined if the document does not say it */
export function printCredentials(
  plan: CredentialPlan,
  { variable, pascal }: ApiNames,
  server: string | undefined,
): PrintedCredentials {
  const { credentials, usual } = plan;
  const purpose =
    server === undefined ? 'the address of the API, which the document does not say' : 'another address of the API';
  const inEnvironment = [`${variable}_URL`, ...credentials.flatMap((each) => [...each.variables, ...each.more])];
  const url = server === undefined ? `${variable}_URL` : `${variable}_URL || ${literals.quoted(server)}`;
  const missing = `throw new Error('Set ${variable}_URL to the address of the API.');`;
  const members = [
    `url: ${url}`,
    ...(credentials.length === 0 ? [] : ['credentials']),
    ...(usual === undefined ? [] : [`usual: ${literals.literal(usual)}`]),
  ];
  const lines = [
    `const { ${inEnvironment.join(', ')} } = env;`,
    ...(server === undefined ? [`if (!${variable}_URL) ${missing}`] : []),
    ...(credentials.length === 0 ? [] : ['const credentials = new Map<string, Credential>();']),
    ...credentials.map(lineFor),
    `return new ${pascal}Settings({ ${members.join(', ')} });`,
  ];
  return {
    code: lines.map((line) => `    ${line}`).join('\n'),
    variables: [
      [`${variable}_URL`, purpose],
      ...credentials.flatMap((each) => each.variables.map((name) => [name, purposeOf(each, credentials)] as const)),
    ],
  };
}

function lineFor(credential: Credential): string {
  const { scheme, variables } = credential;
  return `if (${variables.join(' && ')}) credentials.set(${literals.quoted(scheme)}, ${credentialText(credential)});`;
}

/** With several credentials, each says which one of the document it is. */
function purposeOf({ purpose, scheme }: Credential, all: readonly Credential[]): string {
  return all.length === 1
    ? purpose
    : `${purpose} (${scheme
        .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
        .trim()
        .slice(0, 60)})`;
}
