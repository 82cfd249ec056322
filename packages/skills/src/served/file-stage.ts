/** Around the resource of a file: what is read is what its digest says, also if the handler of the resource was changed. */
import type { EntryFacts, EntryStage } from '@sigil-mcp/core';
import { skillError } from '../errors';
import { SKILL_FILE } from './skill-fact';

interface Contents {
  readonly contents?: readonly { readonly text?: unknown; readonly blob?: unknown }[];
}

/** The stage of a file; undefined for any other entry. */
export function fileStage(entry: EntryFacts): EntryStage | undefined {
  const files = SKILL_FILE.of(entry)?.skills.flatMap((skill) => skill.files) ?? [];
  const bytes = files.find(({ uri }) => uri === entry.key)?.bytes;
  if (!bytes) return undefined;
  const [text, blob] = [bytes.toString(), bytes.toString('base64')];
  return {
    isForEveryone: true,
    async run(_call, next) {
      // The result of a resource.
      const result: Contents = await next();
      const [first, ...others] = result.contents ?? [];
      const isSame = first?.text === text || first?.blob === blob;
      if (!isSame || others.length > 0) throw skillError('SIGIL_SKILL_BYTES', { uri: entry.key });
      return result;
    },
  };
}
