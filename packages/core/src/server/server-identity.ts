/** The identity of a server for clients: its name, its version, and descriptions for people. */
import type { Implementation } from '@sigil-mcp/protocol';
import { checkWords } from '../errors/check-words';
import type { ReportProblem } from '@sigil-mcp/base';
import type { ServerOptions } from './server-options';

/** Reports a blank name, version or description. */
export function checkIdentity({ name, version, description }: ServerOptions, report: ReportProblem): void {
  const words = { name, version, ...(description !== undefined && { description }) };
  checkWords(words, 'createServer', report);
}

/** The server's description of itself. */
export function implementationOf(options: ServerOptions): Implementation {
  const { name, version, title, description, websiteUrl, icons } = options;
  return {
    name,
    version,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(websiteUrl !== undefined && { websiteUrl }),
    ...(icons && { icons }),
  };
}
