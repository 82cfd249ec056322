/** The applications on this machine, and the servers in their settings. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, sep } from 'node:path';
import { CliFailure, columns, type Styles } from '@sigil-mcp/cli/kit';
import type { Application, Place, Scope } from './client';
import { CLIENTS } from './clients';
import { serverNames } from './edit/edit-settings';
import { filesOf, type Machine } from './machine';
import { readSettingsFile } from './settings-file';

/** The settings of an application in a scope. */
export interface FoundSettings {
  readonly client: Application;
  readonly scope: Scope;
  readonly path: string;
  /** The names of its servers, or why they cannot be read; undefined if there is no such file. */
  readonly servers: readonly string[] | CliFailure | undefined;
}

/** Every file of settings that is there, and those of the user that an application on this machine would read. */
export function findSettings(machine: Machine): FoundSettings[] {
  return CLIENTS.flatMap((client) =>
    (['user', 'project'] as const).flatMap((scope) => {
      const place = client.places[scope];
      if (!place) return [];
      return filesOf(place, machine)
        .filter((path) => isFound(scope, path, machine))
        .map((path) => ({ client, scope, path, servers: existsSync(path) ? readServers(place, path) : undefined }));
    }),
  );
}

/** The applications whose settings are on this machine. */
export function findClients(machine: Machine): Application[] {
  return [...new Set(findSettings(machine).map(({ client }) => client))];
}

/** An application has made its own folder; files in the home folder itself say more than that folder. */
function isFound(scope: Scope, path: string, { home }: Machine): boolean {
  if (existsSync(path)) return true;
  return scope === 'user' && dirname(path) !== home && existsSync(dirname(path));
}

function readServers(place: Place, path: string): readonly string[] | CliFailure {
  try {
    return serverNames({ file: path, place, text: readSettingsFile(path).text });
  } catch (error) {
    if (error instanceof CliFailure) return error;
    throw error;
  }
}

/** As lines for users. */
export function describeSettings(found: readonly FoundSettings[], width: number, styles: Styles): string[] {
  if (found.length === 0) return ['No settings of a known application were found.'];
  const rows = found.map(({ client, scope, path, servers }) => [
    { text: client.id, style: styles.name },
    { text: scope },
    { text: shownSettings(path) },
    { text: describe(servers) },
  ]);
  return columns(rows, { width, indent: 0 });
}

function describe(servers: FoundSettings['servers']): string {
  if (servers instanceof CliFailure) return servers.message;
  if (!servers || servers.length === 0) return 'no servers';
  return servers.join(', ');
}

/** A path for users: `~` is the home folder. */
export function shownSettings(path: string): string {
  const home = homedir();
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
