/** What libraries print on the console: on stderr, and through the way out, for they may quote a server. */
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { show } from './outlet';

/** Does work during which the console goes through the way out. */
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
