/** The page of one run of `sigil dev`. */
import { systemClock } from '@sigil-mcp/core/adapter';
import { SecondLine } from '../dev/second-line';
import { DevPage } from './dev-page';

/** The server under development. */
export interface DevPageTarget {
  /** Of the project. */
  readonly folder: string;
  /** Arguments for the server. */
  readonly args: readonly string[];
  /** The URL for clients; undefined on a pipe. */
  readonly address: string | undefined;
  /** The URL of the authorization server for development; undefined without one. */
  readonly issuer: string | undefined;
  /** The compiled program; undefined before the first one is built. */
  readonly program: () => string | undefined;
}

/** Makes the page; it is served later. */
export function openDevPage({ folder, args, address, issuer, program }: DevPageTarget): DevPage {
  const own = (): { command: string; args: string[] } | undefined => {
    const built = program();
    return built === undefined
      ? undefined
      : { command: process.execPath, args: ['--enable-source-maps', built, ...args] };
  };
  return new DevPage({
    folder,
    clock: systemClock,
    issuer,
    reach: { address, second: new SecondLine(), program: own },
  });
}
