/** From a server to its entry in the settings of an application. */
import { failure } from '../failure';
import { inputId, type AskedInput, type Application, type Place, type Scope, type WrittenServer } from './client';
import type { InstalledAddress, InstalledProgram, InstalledServer } from './installed-server';

/** Where a server is written. */
export interface WrittenPlace {
  readonly client: Application;
  readonly place: Place;
  readonly scope: Scope;
}

/** @throws CliFailure if the application has no setting for such a server */
export function writeEntry(server: InstalledServer, where: WrittenPlace): WrittenServer {
  return server.kind === 'program' ? writeProgram(server, where) : writeAddress(server, where);
}

function writeProgram(server: InstalledProgram, { client, place }: WrittenPlace): WrittenServer {
  const { name, command, args, variables } = server;
  const env: Record<string, string> = {};
  const inputs: AskedInput[] = [];
  const forwarded: string[] = [];
  for (const variable of variables) {
    const way = variable.isSecret ? place.secrets : 'value';
    if (way === 'input') {
      inputs.push(askFor(server, variable.name));
      env[variable.name] = `\${input:${inputId(server, variable.name)}}`;
    } else if (way === 'forward') forwarded.push(variable.name);
    else if (way === 'reference' && client.reference) env[variable.name] = client.reference(variable.name);
    else if (variable.value !== undefined) env[variable.name] = variable.value;
  }
  const secrets = variables.flatMap(({ isSecret, value }) => (isSecret && value !== undefined ? [value] : []));
  return { entry: client.program({ name, command, args, env, forwarded }), inputs, secrets };
}

function writeAddress(server: InstalledAddress, { client, place }: WrittenPlace): WrittenServer {
  const { name, url, tokenVariable } = server;
  if (!client.address) throw failure('SIGIL_INSTALL_NO_ADDRESS', { client: client.title });
  if (tokenVariable === undefined)
    return { entry: client.address({ name, url, headers: {} }), inputs: [], secrets: [] };
  const asks = place.secrets === 'input';
  const isToml = place.format === 'toml';
  if (!asks && !isToml && !client.reference) throw failure('SIGIL_INSTALL_NO_TOKEN', { client: client.title });
  const value = asks ? `\${input:${inputId(server, tokenVariable)}}` : (client.reference?.(tokenVariable) ?? '');
  const entry = client.address({ name, url, headers: { Authorization: `Bearer ${value}` }, tokenVariable });
  return { entry, inputs: asks ? [askFor(server, tokenVariable)] : [], secrets: [] };
}

function askFor(server: InstalledServer, variable: string): AskedInput {
  const description = `${variable} of ${server.name}`;
  return { type: 'promptString', id: inputId(server, variable), description, password: true };
}
