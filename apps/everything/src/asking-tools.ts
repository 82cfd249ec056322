/** Tools that ask the client: its user, its model, its roots. */
import { Describe, Feature, McpContext, Tool, type ElicitAnswer } from '@sigil-mcp/core';
import { IsString, Length } from 'class-validator';
import { CHOICES, Contact, Defaults } from './forms';

/** The question for the model. */
export class SamplingInput {
  @Describe('What the model is asked')
  @IsString()
  @Length(1, 10_000)
  prompt!: string;
}

/** The question for the user. */
export class ElicitationInput {
  @Describe('What the user is asked')
  @IsString()
  @Length(1, 1000)
  message!: string;
}

/** Elicitation and sampling. */
@Feature()
export class AskingTools {
  @Tool('Asks the model of the client', { name: 'test_sampling' })
  async sampling({ prompt }: SamplingInput, context: McpContext): Promise<string> {
    const { text } = await context.sample(prompt, { maxTokens: 100 });
    return `LLM response: ${text}`;
  }

  @Tool('Asks the user for a name and an address', { name: 'test_elicitation' })
  async elicitation({ message }: ElicitationInput, context: McpContext): Promise<string> {
    return describe(await context.elicit(Contact, message));
  }

  @Tool('Asks the user with a form whose fields have defaults', { name: 'test_elicitation_sep1034_defaults' })
  async defaults(context: McpContext): Promise<string> {
    return describe(await context.elicit(Defaults, 'Please review the form'));
  }

  @Tool('Asks the user with every way to choose', { name: 'test_elicitation_sep1330_enums' })
  async choices(context: McpContext): Promise<string> {
    return describe(await context.elicit(CHOICES, 'Please choose'));
  }
}

function describe(answer: ElicitAnswer<object>): string {
  if (answer.action !== 'accept') return `User response: ${answer.action}`;
  return `User response: ${answer.action}, ${JSON.stringify(answer.content)}`;
}
