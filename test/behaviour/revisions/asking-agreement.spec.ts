/** The same handler, the same client: asked by requests or by results, in one round or in many, the end is the same. */
import {
  AskFailure,
  Feature,
  InvalidAnswer,
  McpContext,
  Tool,
  createServer,
  isSuspension,
  type AskOptions,
} from '@sigil-mcp/core';
import type { JsonObject } from '@sigil-mcp/protocol';
import { connect, type AnswerQuestion } from '@sigil-mcp/testing';
import { IsInt, IsString, Max, Min } from 'class-validator';
import fc from 'fast-check';
import { schemaErrors } from './checked';
import { runs } from '../../support/matrix';

class Choice {
  @IsString()
  word!: string;

  @IsInt()
  @Min(0)
  @Max(9)
  number: number = 5;
}

/** What a handler does, one step after the other. */
type Step =
  | { readonly kind: 'form' | 'sample'; readonly words: string; readonly key?: string }
  | { readonly kind: 'roots' }
  | { readonly kind: 'once'; readonly key: string }
  | { readonly kind: 'together'; readonly steps: readonly Step[] };

const script: { steps: readonly Step[] } = { steps: [] };

@Feature()
class Scripted {
  @Tool('Does what the script says, and tells what it was answered')
  async play(context: McpContext): Promise<string> {
    const told: string[] = [];
    for (const step of script.steps) told.push(await play(step, context));
    return told.join(' | ');
  }
}

async function play(step: Step, context: McpContext): Promise<string> {
  if (step.kind === 'together') return (await Promise.all(step.steps.map((inner) => play(inner, context)))).join(' & ');
  if (step.kind === 'once') return `${await context.once(step.key, () => `${step.key} kept`)}`;
  try {
    return await ask(step, context);
  } catch (error) {
    if (isSuspension(error)) throw error;
    if (error instanceof InvalidAnswer || error instanceof AskFailure) return `failed: ${error.message}`;
    throw error;
  }
}

async function ask(step: Exclude<Step, { kind: 'together' | 'once' }>, context: McpContext): Promise<string> {
  if (step.kind === 'roots') return (await context.roots()).map(({ uri }) => uri).join();
  const options: AskOptions = step.key === undefined ? {} : { key: step.key };
  if (step.kind === 'sample') return (await context.sample(step.words, options)).text;
  const answer = await context.elicit(Choice, step.words, options);
  return answer.action === 'accept' ? `${answer.content.word}${answer.content.number}` : answer.action;
}

const words = fc.constantFrom('A?', 'B?', 'C?');
const key = fc.constantFrom('one', 'two');
/** One key, one question: what clashes is another test's business. */
const named = fc.constantFrom<Step>(
  { kind: 'form', words: 'K1?', key: 'k1' },
  { kind: 'sample', words: 'K2?', key: 'k2' },
);
const single: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('form' as const, 'sample' as const), words }),
  named,
  fc.constant<Step>({ kind: 'roots' }),
  key.map((name): Step => ({ kind: 'once', key: name })),
);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: single },
    {
      weight: 1,
      arbitrary: fc
        .array(single, { minLength: 1, maxLength: 3 })
        .map((inner): Step => ({ kind: 'together', steps: inner })),
    },
  ),
  { maxLength: 6 },
);
const formAnswer: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    action: fc.constant('accept'),
    content: fc.record(
      { word: fc.string({ maxLength: 5 }), number: fc.integer({ min: -2, max: 12 }) },
      { requiredKeys: [] },
    ),
  }),
  fc.constant({ action: 'decline' }),
  fc.constant({ action: 'cancel' }),
);
const answersArbitrary = fc.array(formAnswer, { minLength: 1, maxLength: 5 });

/** Answers by the words of the question and how often they came, so that both clients say the same. */
function answerer(forms: readonly JsonObject[]): AnswerQuestion {
  const counts = new Map<string, number>();
  return ({ method, params }) => {
    if (method === 'roots/list') return { roots: [{ uri: 'file:///work' }] };
    const asked = JSON.stringify(method === 'elicitation/create' ? params['message'] : params['messages']);
    const count = counts.get(asked) ?? 0;
    counts.set(asked, count + 1);
    if (method === 'sampling/createMessage')
      return { role: 'assistant', content: { type: 'text', text: `${asked.length}.${count}` }, model: 'm' };
    return forms[(asked.charCodeAt(1) + count) % forms.length] ?? { action: 'cancel' };
  };
}

describe('a sequence of questions', () => {
  it('ends in the same result on a handshake and per request', async () => {
    const server = createServer({ name: 'agreement', version: '1.0.0', features: [Scripted], logger: false });
    const capabilities = { elicitation: {}, sampling: {}, roots: {} };
    const run = async (revision: string, forms: readonly JsonObject[]): Promise<unknown> => {
      const client = await connect(server, { revision, capabilities, answers: answerer(forms) });
      const { content, isError } = await client.callTool('play');
      expect(schemaErrors(client)).toEqual([]);
      await client.close();
      return { content, isError };
    };
    await fc.assert(
      fc.asyncProperty(steps, answersArbitrary, async (drawn, forms) => {
        script.steps = drawn;
        const handshake = await run('2025-11-25', forms);
        expect(await run('2026-07-28', forms)).toEqual(handshake);
        expect(await run('2025-06-18', forms)).toEqual(handshake);
      }),
      { numRuns: runs(300) },
    );
  });
});
