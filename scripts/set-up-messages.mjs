/** What a set-up tells its user. */

/** A message for the user in one sentence, without a stack trace. */
export class SetUpFailure extends Error {}

/** Reports a preparation step of a command. */
export function say(line) {
  process.stdout.write(`set-up: ${line}\n`);
}
