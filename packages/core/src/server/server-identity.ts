/** What clients are told of a server: its name, its version, and words for people. */
import type { Implementation } from '@sigil-mcp/protocol';
import { checkWords } from '../errors/check-words';
import type { ReportProblem } from '../errors/definition-error';
import type { ServerOptions } from './server-options';

/** Reports a name, a version or a description that says nothing. */
export function checkIdentity({ name, version, description }: ServerOptions, report: ReportProblem): void {
  const words = { name, version, ...(description !== undefined && { description }) };
  checkWords(words, 'createServer', report);
}

/** The server as it introduces itself. */
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
