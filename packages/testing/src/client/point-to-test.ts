/** An error answer as a test report shows it: with the frame of the test, and with the option of `connect` that was probably forgotten. */
import { objectOf, RpcError } from '@sigil-mcp/client/wire';

/**
 * Waits for an answer. The stack of an error answer, which arrives when no function of the test is on it, is completed; its message stays
 * what the server sent, because tests compare it.
 * @param answers the option of the client
 */
export async function pointToTest<Answer>(ask: () => Promise<Answer>, answers: unknown): Promise<Answer> {
  const asked = { stack: '' };
  Error.captureStackTrace(asked, pointToTest);
  try {
    return await ask();
  } catch (error) {
    if (error instanceof RpcError) {
      const frames = asked.stack.split('\n').slice(1);
      error.stack = [`${error.name}: ${error.message}`, ...adviceOn(error, answers !== undefined), ...frames].join(
        '\n',
      );
    }
    throw error;
  }
}

function adviceOn({ data }: RpcError, hasAnswers: boolean): readonly string[] {
  const { error, requiredCapabilities } = objectOf(data);
  if (requiredCapabilities !== undefined && !hasAnswers)
    return ['The server asks this client. Pass `answers` to connect(): a client without them cannot be asked.'];
  if (error === 'insufficient_scope')
    return ['Pass a caller with these scopes to connect(): { as: { id, scopes } }, or over HTTP a token in `headers`.'];
  return [];
}
