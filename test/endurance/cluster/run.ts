/** `npm run cluster`: plays a cluster, prints what came of it, draws it, and exits with 1 where a promise was broken. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readOptions, readRolling, USAGE } from './options';
import { playCluster } from './play-cluster';
import { drawTimeline } from './record/timeline';
import { writeTable } from './record/write-table';
import { runRolling } from './rolling/roll';

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  const rolling = read(words, readRolling);
  if (rolling) return (await runRolling(rolling, say)) ? 0 : 1;
  const options = words.includes('--rolling') ? undefined : read(words, readOptions);
  if (!options) return 1;
  const { seconds, seed, processes, stores, chaos, picture } = options;
  say(`${processes} processes, ${stores}, chaos: ${chaos.join(', ') || 'none'}, ${seconds} s, --seed ${seed}`);
  const played = await playCluster(options);
  say(writeTable(played));
  if (picture !== undefined) {
    mkdirSync(dirname(picture), { recursive: true });
    writeFileSync(picture, drawTimeline(played.timeline, processes));
  }
  say(`\n${played.ledger.isClean ? 'Every promise was kept.' : `Promises were broken; again with --seed ${seed}.`}`);
  return played.ledger.isClean ? 0 : 1;
}

function read<T>(words: readonly string[], reader: (words: readonly string[]) => T): T | undefined {
  try {
    return reader(words);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    return undefined;
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
