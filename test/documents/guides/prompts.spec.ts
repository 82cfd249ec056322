/** What `docs/how-to/prompts.md` says and shows. */
import {
  assistantMessage,
  Complete,
  createServer,
  Describe,
  embedded,
  Feature,
  Prompt,
  userMessage,
} from '@sigil-mcp/core';
import type { PromptMessage } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { IsBoolean, IsDate, IsIn, IsOptional, IsString } from 'class-validator';

expect.extend(matchers);

// #region prompt
class Trip {
  @Describe('Where to') @IsString() city!: string;
  @IsOptional() @IsIn(['train', 'boat']) by: string = 'train';
  @IsOptional() @IsBoolean() withChildren: boolean = false;
  @IsOptional() @IsDate() leaving?: Date;
}

@Feature()
class Travel {
  @Prompt('Plan a trip', { title: 'A trip' })
  plan({ city, by, withChildren }: Trip): string {
    return `Plan a trip to ${city} by ${by}${withChildren ? ', with children' : ''}.`;
  }

  @Complete('city', 'plan')
  cities(typed: string): string[] {
    return ['Bergen', 'Bodø', 'Oslo'].filter((city) => city.startsWith(typed));
  }
}
// #endregion prompt

@Feature()
class Review {
  // #region messages
  @Prompt('Review the rules of the house')
  review(): PromptMessage[] {
    return [
      userMessage(embedded({ uri: 'house://rules', mimeType: 'text/markdown', text: 'Shoes off.' })),
      assistantMessage('I have read them. What should I look for?'),
      userMessage('Whether a guest could misunderstand them.'),
    ];
  }
  // #endregion messages
}

const server = createServer({ name: 'travel', version: '1.0.0', features: [Travel, Review], logger: false });

eachRevision('arguments are strings on the wire, and of their types in the method', async ({ connect }) => {
  const client = await connect(server);
  await expect(client).toListPrompt('plan', { description: 'Plan a trip' });
  expect(await client.getPrompt('plan', { city: 'Oslo' })).toHaveMessages('Plan a trip to Oslo by train.');
  const family = await client.getPrompt('plan', { city: 'Oslo', by: 'boat', withChildren: 'true' });
  expect(family).toHaveMessages({ user: 'Plan a trip to Oslo by boat, with children.' });
});

eachRevision('what does not fit is an error of the protocol that names the argument', async ({ connect }) => {
  const client = await connect(server);
  await expect(client.getPrompt('plan', { city: 'Oslo', by: 'plane' })).rejects.toBeRpcError(-32602, 'by');
  await expect(client.getPrompt('plan')).rejects.toBeRpcError(-32602, 'city');
});

eachRevision('arguments are completed, choices by themselves', async ({ connect }) => {
  const client = await connect(server);
  const values = async (name: string, value: string): Promise<readonly string[]> =>
    (await client.complete({ prompt: 'plan' }, name, value)).completion.values;
  expect(await values('city', 'B')).toEqual(['Bergen', 'Bodø']);
  expect(await values('by', 't')).toEqual(['train']);
});

eachRevision('messages have roles, and may hold blocks', async ({ connect }) => {
  const { messages } = await (await connect(server)).getPrompt('review');
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(messages[0]).toMatchObject({ content: { type: 'resource', resource: { text: 'Shoes off.' } } });
});
