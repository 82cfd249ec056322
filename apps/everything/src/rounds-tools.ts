/**
 * Tools and a prompt whose questions have keys of their own, for clients that answer with their next request. They work with
 * every other client too.
 */
import { Feature, McpContext, Prompt, Tool, ToolFailure, type ElicitAnswer } from '@sigil-mcp/core';
import { ColorForm, ConfirmForm, ContextForm, NameForm } from './forms';

/** Questions in one round and in several. */
@Feature()
export class RoundsTools {
  @Tool('Asks the user for a name', { name: 'test_input_required_result_elicitation' })
  async elicitation(context: McpContext): Promise<string> {
    const { name } = accepted(await context.elicit(NameForm, 'What is your name?', { key: 'user_name' }));
    return `Hello, ${name}!`;
  }

  @Tool('Asks the model for a capital', { name: 'test_input_required_result_sampling' })
  async sampling(context: McpContext): Promise<string> {
    const { text } = await context.sample('What is the capital of France?', {
      maxTokens: 100,
      key: 'capital_question',
    });
    return `The model says: ${text}`;
  }

  @Tool('Asks where the client works', { name: 'test_input_required_result_list_roots' })
  async roots(context: McpContext): Promise<string> {
    const roots = await context.roots({ key: 'client_roots' });
    return `The client works in: ${roots.map(({ uri }) => uri).join(', ') || 'nothing'}`;
  }

  @Tool('Asks for a confirmation, with a state that travels along', {
    name: 'test_input_required_result_request_state',
  })
  async requestState(context: McpContext): Promise<string> {
    const begun = await context.once('begun', () => 'state-ok');
    const { ok } = accepted(await context.elicit(ConfirmForm, 'Shall it go on?', { key: 'confirm' }));
    return `${begun}, confirmed: ${ok}`;
  }

  @Tool('Asks three questions at once', { name: 'test_input_required_result_multiple_inputs' })
  async multipleInputs(context: McpContext): Promise<string> {
    const [answer, greeting, roots] = await Promise.all([
      context.elicit(NameForm, 'What is your name?', { key: 'user_name' }),
      context.sample('Greet the user in one sentence.', { maxTokens: 50, key: 'greeting' }),
      context.roots({ key: 'client_roots' }),
    ]);
    return `${accepted(answer).name}: ${greeting.text} (${roots.length} roots)`;
  }

  @Tool('Asks one question after the other', { name: 'test_input_required_result_multi_round' })
  async multiRound(context: McpContext): Promise<string> {
    const { name } = accepted(await context.elicit(NameForm, 'Step 1: what is your name?', { key: 'step1' }));
    const { color } = accepted(await context.elicit(ColorForm, 'Step 2: which colour?', { key: 'step2' }));
    return `${name} likes ${color}.`;
  }

  @Tool('Asks for a confirmation; a state that was tampered with is refused', {
    name: 'test_input_required_result_tampered_state',
  })
  async tamperedState(context: McpContext): Promise<string> {
    const { ok } = accepted(await context.elicit(ConfirmForm, 'Shall it go on?', { key: 'confirm' }));
    return `Confirmed: ${ok}`;
  }

  @Tool('Asks only what the client can be asked', { name: 'test_input_required_result_capabilities' })
  async capabilities(context: McpContext): Promise<string> {
    const { elicitation, sampling } = context.client.capabilities;
    const said: string[] = [];
    if (sampling) said.push((await context.sample('Say hello.', { maxTokens: 50, key: 'greeting' })).text);
    if (elicitation)
      said.push(accepted(await context.elicit(NameForm, 'What is your name?', { key: 'user_name' })).name);
    return said.length > 0 ? said.join(', ') : 'This client cannot be asked anything.';
  }

  @Tool('Needs a client with a model', { name: 'test_missing_capability' })
  async missingCapability(context: McpContext): Promise<string> {
    const { text } = await context.sample('Say hello.', { maxTokens: 50 });
    return text;
  }

  @Tool('Asks the user while its answer may be a stream', { name: 'test_streaming_elicitation' })
  async streamingElicitation(context: McpContext): Promise<string> {
    const { ok } = accepted(await context.elicit(ConfirmForm, 'Shall it go on?'));
    return `Confirmed: ${ok}`;
  }

  @Prompt('Asks for its subject', { name: 'test_input_required_result_prompt' })
  async prompt(context: McpContext): Promise<string> {
    const answer = await context.elicit(ContextForm, 'What is it about?', { key: 'user_context' });
    return answer.action === 'accept' ? `Consider this: ${answer.content.context}` : 'Consider anything.';
  }
}

function accepted<T>(answer: ElicitAnswer<T>): T {
  if (answer.action === 'accept') return answer.content;
  throw new ToolFailure(`The user answered with ${answer.action}.`);
}
