/** A packed server, started where nothing else is, and compared with the one that it was made of. */
import { isDeepStrictEqual } from 'node:util';
import { HANDSHAKE_REVISIONS } from '@sigil-mcp/protocol';
import { survey, withServer, type ProgramTarget, type Shell, type Survey } from '@sigil-mcp/cli/kit';
import { failure } from './errors';

/** Seconds for each start. */
const PATIENCE = 30;

/** What a server shows, and the revisions that it speaks. */
export interface SeenServer extends Survey {
  /** The newest first. */
  readonly spoken: readonly string[];
}

/** Starts a server once without a handshake, and once for each revision with one. */
export async function meet(shell: Shell, target: ProgramTarget): Promise<SeenServer> {
  const options = { shell, timeout: PATIENCE, verbose: false };
  const seen = await withServer(() => target, options, survey);
  const handshakes: string[] = [];
  for (const { version: handshake } of HANDSHAKE_REVISIONS) {
    const spoken = await withServer(
      () => target,
      { ...options, handshake },
      async ({ client }) => client.revision,
    );
    if (spoken === handshake) handshakes.push(handshake);
  }
  const spoken = [...new Set([...seen.revisions.offered, ...handshakes])].sort().reverse();
  return { ...seen, spoken };
}

/**
 * Starts a packed server, and checks that it is the same as the original.
 * @param original with `what` for messages, such as the name of the bundle
 * @throws CliFailure if it does not start, speaks other revisions, or lists other tools
 */
export async function checkPacked(
  shell: Shell,
  target: ProgramTarget,
  { original, what }: { readonly original: SeenServer; readonly what: string },
): Promise<SeenServer> {
  const packed = await meet(shell, target);
  const differing = [
    ...(isDeepStrictEqual(packed.spoken, original.spoken) ? [] : [`speaks ${packed.spoken.join(', ')}`]),
    ...(isDeepStrictEqual(packed.tools, original.tools) ? [] : [`lists the tools ${namesOf(packed)}`]),
    ...(isDeepStrictEqual(packed.server, original.server)
      ? []
      : [`is ${packed.server?.name} ${packed.server?.version}`]),
  ];
  if (differing.length > 0) throw failure('SIGIL_PACK_DIFFERENT', { what, differences: differing.join(' and ') });
  return packed;
}

function namesOf({ tools }: Survey): string {
  return tools.length === 0 ? 'none' : tools.map(({ name }) => name).join(', ');
}

/** The environment of a server that is only looked at: that of the system, and values for its variables. */
export function bareEnvironment(own: NodeJS.ProcessEnv, values: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = ['PATH', 'Path', 'HOME', 'USERPROFILE', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'APPDATA', 'LANG'];
  const ofSystem = Object.entries(own).filter(([name]) => kept.includes(name));
  return { ...Object.fromEntries(ofSystem), ...values };
}
