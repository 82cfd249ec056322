/** The token of a command: given, or the result of a sign-in. */
import { CommandCredentials } from '../../src/sign-in/credentials';

const SIGNED_IN = { access_token: 'signed-in', token_type: 'Bearer' };

it('takes the option before the environment, and both before a sign-in', () => {
  const env = { SIGIL_TOKEN: ' from-env ' };
  const typed = new CommandCredentials({ token: 'typed' }, env);
  expect([typed.token, typed.isTyped, typed.isGiven]).toEqual(['typed', true, true]);
  const set = new CommandCredentials({}, env);
  set.state.tokens = SIGNED_IN;
  expect([set.token, set.isTyped, set.isGiven]).toEqual(['from-env', false, true]);
});

it('has the token of a sign-in once there is one', () => {
  const credentials = new CommandCredentials({ signIn: true }, {});
  expect([credentials.token, credentials.isAwaited, credentials.isGiven]).toEqual([undefined, true, false]);
  credentials.state.tokens = SIGNED_IN;
  expect([credentials.token, credentials.isAwaited]).toEqual(['signed-in', false]);
});

it.each(['two words', 'line\nbreak', 'naïve', '=', ''])('refuses the token %j, which no header can have', (token) => {
  expect(() => new CommandCredentials({ token }, {})).toThrow(
    expect.objectContaining({ code: 'SIGIL_CLI_TOKEN_NONE', exitCode: 2 }),
  );
});

it('says where a token that is not valid comes from, without the token', () => {
  expect(() => new CommandCredentials({}, { SIGIL_TOKEN: 'secret words' })).toThrow(/SIGIL_TOKEN/);
  expect(() => new CommandCredentials({}, { SIGIL_TOKEN: 'secret words' })).not.toThrow(/secret/);
});

it('takes an empty variable for none', () => {
  expect(new CommandCredentials({}, { SIGIL_TOKEN: ' ' }).token).toBeUndefined();
});
