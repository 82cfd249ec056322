/** A feature that asks in every way there is, and a client that answers. */
import { Describe, Feature, McpContext, Prompt, Resource, Tool, ToolFailure } from '@sigil-mcp/core';
import type { JsonObject } from '@sigil-mcp/protocol';
import type { AnswerQuestion } from '@sigil-mcp/testing';
import { ArrayMinSize, IsArray, IsBoolean, IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

/** Every kind of field. */
export class Order {
  @Describe('What is on the label')
  @IsString()
  @Length(1, 20)
  name!: string;

  @IsInt()
  @Min(1)
  @Max(9)
  count: number = 2;

  @IsOptional()
  @IsIn(['small', 'large'])
  size?: string;

  @IsArray()
  @ArrayMinSize(1)
  @IsIn(['red', 'green', 'blue'], { each: true })
  colors!: string[];

  @IsBoolean()
  gift: boolean = false;
}

/** Yes or no. */
export class Yes {
  @IsBoolean()
  ok!: boolean;
}

/** A name. */
export class Name {
  @IsString()
  @Length(1, 40)
  name!: string;
}

/** What the tools below were seen doing. */
export const seen: string[] = [];

/** Asks. */
@Feature()
export class Asking {
  @Tool('Asks for an order')
  async order(context: McpContext): Promise<string> {
    const answer = await context.elicit(Order, 'What shall it be?');
    if (answer.action !== 'accept') return answer.action;
    const { content } = answer;
    if (!(content instanceof Order)) throw new ToolFailure('no instance');
    return `${content.count} ${content.size ?? 'any'} ${content.colors.join('+')} ${content.name}, gift: ${content.gift}`;
  }

  @Tool('Asks twice, one after the other')
  async twice(context: McpContext): Promise<string> {
    seen.push('start');
    const first = await context.elicit(Name, 'First name?', { key: 'first' });
    if (first.action !== 'accept') return `no first: ${first.action}`;
    const id = await context.once('id', () => {
      seen.push('once');
      return { number: seen.length };
    });
    const second = await context.elicit(Name, `Last name of ${first.content.name}?`);
    if (second.action !== 'accept') return `no last: ${second.action}`;
    return `${first.content.name} ${second.content.name} ${typeof id.number}`;
  }

  @Tool('Asks three things at once')
  async atOnce(context: McpContext): Promise<string> {
    const [name, sample, roots] = await Promise.all([
      context.elicit(Name, 'Your name?', { key: 'user_name' }),
      context.sample('Say hello', { maxTokens: 50, key: 'greeting' }),
      context.roots({ key: 'client_roots' }),
    ]);
    const who = name.action === 'accept' ? name.content.name : name.action;
    return `${who}|${sample.text}|${sample.model}|${roots.map(({ uri }) => uri).join()}`;
  }

  @Tool('Asks the model')
  async sample(context: McpContext): Promise<string> {
    const answer = await context.sample('What is the capital of France?', { maxTokens: 100 });
    return `${answer.role}: ${answer.text}`;
  }

  @Tool('Asks where the client works')
  async roots(context: McpContext): Promise<string> {
    const roots = await context.roots();
    return roots.map(({ uri, name }) => `${uri} (${name ?? 'no name'})`).join(', ');
  }

  @Tool('Sends the user to a page')
  async page(context: McpContext): Promise<string> {
    const answer = await context.elicitUrl('https://example.com/consent?state=1', 'Please consent');
    answer.done();
    return answer.action;
  }

  @Prompt('Asks for a name')
  async greet(context: McpContext): Promise<string> {
    const answer = await context.elicit(Name, 'Who is greeted?', { key: 'user_context' });
    return answer.action === 'accept' ? `Greet ${answer.content.name}.` : 'Greet nobody.';
  }

  @Resource('asking://secret', { name: 'secret', cache: { ttlMs: 5000, cacheScope: 'public' } })
  async secret(context: McpContext): Promise<string> {
    const answer = await context.elicit(Yes, 'Shall it be told?');
    return answer.action === 'accept' && answer.content.ok ? 'told' : 'kept';
  }
}

/** Everything a client can declare. */
export const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} } as const;

/** Answers by method; forms with this content. */
export function answering(content: JsonObject = { name: 'Ada' }): AnswerQuestion {
  const byMethod: Readonly<Record<string, JsonObject>> = {
    'elicitation/create': { action: 'accept', content },
    'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'tester' },
    'roots/list': { roots: [{ uri: 'file:///home/ada', name: 'home' }] },
  };
  return ({ method, params }) => {
    const answer = byMethod[method] ?? {};
    return params['mode'] === 'url' ? { action: 'accept' } : answer;
  };
}
