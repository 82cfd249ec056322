/** The console output of libraries: on stderr, and made visible, because it may quote a server. */
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { show } from './outlet';

/** Runs work while console output passes through `outlet.ts`. */
export async function withShownConsole<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = globalThis.console;
  const stream = new Writable({
    decodeStrings: false,
    write(text, _, done) {
      show(process.stderr, String(text));
      done();
    },
  });
  globalThis.console = new Console(stream);
  try {
    return await work();
  } finally {
    globalThis.console = before;
  }
}
