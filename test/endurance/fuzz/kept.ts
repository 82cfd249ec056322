/** Inputs that once failed, in files: every run plays them first. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from './fuzz-target';
import type { Conversation } from './traffic/conversation';

const FOLDER = join(__dirname, 'kept');

/** A file of it. */
export interface Kept {
  readonly file: string;
  /** What went wrong when it was found, in a sentence. */
  readonly what: string;
  readonly target: string;
  readonly conversations: readonly Conversation[];
}

/** All that were kept. */
export function keptInputs(): Kept[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
  return files.map((file) => ({
    ...(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Omit<Kept, 'file'>),
    file,
  }));
}

/** Keeps a finding. @returns the path of its file */
export function keep({ target, problems, conversations }: Finding): string {
  const what = (problems[0] ?? '').split('\n')[0]?.slice(0, 200) ?? '';
  const hash = createHash('sha256').update(JSON.stringify(conversations)).digest('hex').slice(0, 8);
  const path = join(FOLDER, `${target}-${hash}.json`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path, `${JSON.stringify({ what, target, conversations }, null, 2)}\n`);
  return path;
}
