/** A server under development behind a line of clients: what is said of it, and when it is replaced. */
import { until } from '../../../test/support/until';
import { DevServer, type DevServerOptions } from '../src/dev/dev-server';
import { Holder, type ClientLine, type HolderOptions } from '../src/dev/holder';
import { stylesFor } from '../src/terminal/styles';

/** @param environment of each server */
export function develop(
  line: ClientLine,
  parts: Pick<DevServerOptions, 'folder' | 'patience'> & Pick<HolderOptions, 'clock'>,
  environment: NodeJS.ProcessEnv = process.env,
) {
  const said: string[] = [];
  let holds = 0;
  const onDeath: HolderOptions['onDeath'] = (end, crash) => server.onDeath(end, crash);
  const holder = new Holder(line, { child: { args: [], environment }, onDeath, ...parts });
  const hold = holder.hold.bind(holder);
  holder.hold = () => {
    holds += 1;
    hold();
  };
  const say = (words: string): void => void said.push(words);
  const server = new DevServer({ holder, ...parts, say, styles: stylesFor(process.stderr, {}), address: undefined });
  return {
    server,
    said,
    /** Starts a server in the place of the last one. @returns when that has started, and the calls of the last one drain */
    replace: async (build: () => void): Promise<void> => {
      const before = holds;
      build();
      await until(() => holds > before);
    },
    ready: (times: number): Promise<void> =>
      until(() => said.filter((words) => /^version \d+ .*ready/.test(words)).length === times),
  };
}
