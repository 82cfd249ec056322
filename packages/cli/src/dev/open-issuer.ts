/** The authorization server of a project for development: one for all versions of the server, so that tokens stay valid. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '@sigil-mcp/base';
import { failure, reasonOf, wrongUsage } from '../failure';

/**
 * @param file a module that exports `openIssuer(resource)`
 * @param resource the URL of the server that tokens are issued for
 * @returns its URL
 * @throws CliFailure if the file does not exist, or opens no issuer
 */
export async function openIssuer(file: string, resource: string): Promise<string> {
  const path = resolve(file);
  if (!existsSync(path)) throw wrongUsage('SIGIL_DEV_FILE', { file: path });
  const opened = await open(path, resource).catch((error: unknown) => {
    throw failure('SIGIL_DEV_ISSUER', { file, reason: reasonOf(error).replace(/\.$/, '') });
  });
  if (isObject(opened) && typeof opened['url'] === 'string') return opened['url'];
  throw failure('SIGIL_DEV_ISSUER', { file, reason: 'openIssuer() returns no object with a url' });
}

async function open(path: string, resource: string): Promise<unknown> {
  const module = (await import(pathToFileURL(path).href)) as { openIssuer?: unknown };
  // A function of the project, which may return anything.
  const opening = module.openIssuer as ((resource: string) => unknown) | undefined;
  return opening?.(resource);
}
