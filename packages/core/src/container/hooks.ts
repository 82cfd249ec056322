/** The hooks of instances: finds them, and names their owner if they fail. */
import { sigilError } from '../errors/catalogue';
import { nameOfToken, type Token } from './provider';

/** Runs a hook; what it throws names the class that it is of. */
export async function runHook(
  code: 'SIGIL_START_HOOK' | 'SIGIL_STOP_HOOK',
  token: Token,
  hook: () => unknown,
): Promise<void> {
  try {
    await hook();
  } catch (error) {
    throw sigilError(code, { owner: nameOfToken(token), reason: reasonOf(error) }, { cause: error });
  }
}

/** What an error says, with a stop at its end, because the fix follows as a sentence of its own. */
export function reasonOf(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  return /[.!?]\s*$/.test(said) ? said : `${said}.`;
}

/** Whether an instance has a hook. */
export function hasHook<H extends 'onStart' | 'onStop'>(
  instance: unknown,
  hook: H,
): instance is Record<H, () => unknown> {
  return (
    typeof instance === 'object' &&
    instance !== null &&
    hook in instance &&
    typeof (instance as Record<H, unknown>)[hook] === 'function'
  );
}

/**
 * Runs the `onStop` hooks of what was made, in the order given; all of them, also when one fails.
 * @returns what they threw
 */
export async function runStopHooks(made: Iterable<readonly [instance: unknown, token: Token]>): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const [instance, token] of made) {
    try {
      if (hasHook(instance, 'onStop')) await runHook('SIGIL_STOP_HOOK', token, () => instance.onStop());
    } catch (failure) {
      failures.push(failure);
    }
  }
  return failures;
}

/** @throws SigilError with all that hooks threw, if any did */
export function throwHookFailures(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  throw sigilError('SIGIL_STOP_HOOKS', { count: failures.length }, { cause: new AggregateError(failures) });
}
