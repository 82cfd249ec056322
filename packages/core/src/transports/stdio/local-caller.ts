/** The caller over stdio: the user who started the process. The specification rules out tokens there. */
import { Caller, LOCAL, type CallerInit } from '../../context/caller';

/**
 * The caller of a connection over stdio. Unless scopes or roles are given, a caller of the kind `local` has all of them: the user who
 * starts a process can do all that it can.
 * @param given the option of the transport; with it, the environment is ignored
 * @param environment `SIGIL_CALLER` is an id; `SIGIL_CALLER_SCOPES` and `SIGIL_CALLER_ROLES` are lists, separated by spaces
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
 */
export function localCallerOf(given: Partial<CallerInit> | undefined, environment: NodeJS.ProcessEnv): Caller {
  if (given instanceof Caller) return given;
  if (given) return new Caller({ id: 'local', kind: 'local', ...given });
  const { SIGIL_CALLER: id, SIGIL_CALLER_SCOPES: scopes, SIGIL_CALLER_ROLES: roles } = environment;
  if (id === undefined && scopes === undefined && roles === undefined) return LOCAL;
  return new Caller({
    id: id === undefined || id === '' ? 'local' : id,
    kind: 'local',
    ...(scopes !== undefined && { scopes: wordsOf(scopes) }),
    ...(roles !== undefined && { roles: wordsOf(roles) }),
  });
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
