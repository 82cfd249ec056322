/** The package of the page of `sigil dev`, which the command line finds by its name. */
import { systemClock } from '@sigil-mcp/base';
import { SecondLine, type Inspector, type InspectorTarget } from '@sigil-mcp/cli/kit/dev';
import { DevPage } from './dev-page';

/** Makes the page; it is served later. */
export function openInspector({ folder, args, address, issuer, program }: InspectorTarget): Inspector {
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
