/** From a server's options to the settings of questions to clients. */
import { randomBytes } from 'node:crypto';
import type { AskingPolicy } from '../asking/questions';
import { RequestStates, Seal } from '../asking/request-states';
import { problem, sigilError } from '../errors/catalogue';
import type { Clock, ReportProblem } from '@sigil-mcp/base';
import { ListedCursors } from '../registry/listed-cursors';
import { isTimeLimit } from '../values/time-limit';
import type { Logger } from '../logging/logger';
import type { Shapes } from '@sigil-mcp/schema';
import type { DefinitionContext } from '../extensions/server-extensions';
import type { ServerOptions } from './server-options';

const SHORTEST_SECRET = 32;

/** Checks the options for questions, and reports secrets that are too short, and times and sizes that are not valid. */
export function checkAskingOptions(
  { answerTimeout, requestState: { secrets, ...requestState } = {} }: ServerOptions,
  report: ReportProblem,
): void {
  if (secrets && (secrets.length === 0 || hasWeak(secrets))) {
    report(problem('SIGIL_WEAK_SECRETS', 'createServer({ requestState })', { least: SHORTEST_SECRET }));
  }
  if (answerTimeout !== undefined && !isTimeLimit(answerTimeout)) {
    report(problem('SIGIL_ANSWER_TIMEOUT', 'createServer({ answerTimeout })', { timeout: answerTimeout }));
  }
  for (const [name, value] of Object.entries({
    'requestState.lifetime': requestState.lifetime,
    'requestState.maximum': requestState.maximum,
  })) {
    if (value === undefined || (Number.isFinite(value) && value > 0)) continue;
    report(problem('SIGIL_REQUEST_STATE', `createServer({ ${name} })`, { value }));
  }
}

/**
 * Checks the secrets of the environment. This is done at start, as for its other variables: a program can report the error of `listen`
 * in one line, but not that of a module that defines its server.
 * @throws SigilError for a secret that is too short
 */
export function checkSecretsVariable({ requestState }: ServerOptions, environment: NodeJS.ProcessEnv): void {
  const secrets = requestState?.secrets ? undefined : secretsOf(undefined, environment);
  if (secrets && hasWeak(secrets)) throw sigilError('SIGIL_SECRETS_VARIABLE', { least: SHORTEST_SECRET });
}

function hasWeak(secrets: readonly string[]): boolean {
  return secrets.some(({ length }) => length < SHORTEST_SECRET);
}

/**
 * Makes the policy for questions, from options that were checked. Without secrets it makes a random one, and logs a warning when a
 * client receives a state that only this process can open.
 */
export function askingPolicyOf(
  options: ServerOptions,
  { shapes, logger, clock }: { readonly shapes: Shapes; readonly logger: Logger; readonly clock: Clock },
): AskingPolicy {
  const { secrets, lifetime = 900_000, maximum = 262_144 } = options.requestState ?? {};
  const known = secretsOf(secrets, process.env);
  const warn = (): void =>
    logger.warn(
      {},
      'A requestState was sealed with a random secret: retries that reach another instance, or this one after a restart, are refused. Give createServer({ requestState: { secrets } }), or SIGIL_SECRETS in the environment.',
    );
  const states = new RequestStates({
    server: options.name,
    secrets: known ?? [randomSecret()],
    lifetime,
    maximum,
    warn: known ? undefined : warn,
    clock,
  });
  return { shapes, states, answerTimeout: options.answerTimeout ?? 300_000 };
}

/** Writes cursors that contain an author's own cursor: sealed with the secrets of the server, so that other instances can read them. */
export function listedCursorsOf({ name, requestState = {} }: ServerOptions): ListedCursors {
  return new ListedCursors(secretsOf(requestState.secrets, process.env) ?? [randomSecret()], name);
}

/** Makes seals for extensions, which all open what another of the same purpose has sealed. */
export function sealsOf({ name, requestState = {} }: ServerOptions): (purpose: string) => Seal {
  let secrets: readonly string[] | undefined;
  return (purpose) => {
    secrets ??= secretsOf(requestState.secrets, process.env) ?? [randomSecret()];
    return new Seal(secrets, `sigil extension 1 ${name} ${purpose}`);
  };
}

/** Whether states and cursors can be opened after a restart, and by other instances. */
export function hasSecrets({ requestState }: ServerOptions, environment: NodeJS.ProcessEnv): boolean {
  return secretsOf(requestState?.secrets, environment) !== undefined;
}

/** Warns once at start that instances with shared stores cannot read each other's states and cursors. */
export function warnOfSecrets({ hasSecrets, logger }: Pick<DefinitionContext, 'hasSecrets' | 'logger'>): void {
  if (hasSecrets()) return;
  logger.warn(
    {},
    'This server has stores for several instances, and no secrets that they share: what one has sealed, such as the state of a question, no other can open. Give createServer({ requestState: { secrets } }), or SIGIL_SECRETS in the environment.',
  );
}

function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

function secretsOf(
  secrets: readonly string[] | undefined,
  { SIGIL_SECRETS }: NodeJS.ProcessEnv,
): readonly string[] | undefined {
  return secrets ?? (SIGIL_SECRETS ? SIGIL_SECRETS.split(',').map((secret) => secret.trim()) : undefined);
}
