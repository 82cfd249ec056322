/** Generates conversations from a seed until enough was sent, and makes what fails as small as it can. */
import fc from 'fast-check';
import { makeSmaller } from './make-smaller';
import { Stage } from './play-round';
import { catalogOf, type Target } from './targets';
import { conversation, type Conversation } from './traffic/conversation';

/** How much, and from where. */
export interface Effort {
  readonly seed: number;
  readonly inputs: number;
  /** Milliseconds for making a failure smaller. */
  readonly shrinking: number;
  /** Called now and then with what was sent so far. */
  readonly onProgress?: (inputs: number) => void;
}

/** What was found. */
export interface Finding {
  readonly target: string;
  readonly problems: readonly string[];
  /** As small as they could be made; played together. Empty where no single round is to blame. */
  readonly conversations: readonly Conversation[];
}

/** What a run came to. */
export interface Outcome {
  readonly inputs: number;
  readonly finding: Finding | undefined;
}

/** Rounds for which one seed of fast-check is good; its generators begin small. */
const ROUNDS_A_SEED = 12;
/** Milliseconds for answers while a failure is made smaller: it is known by then that some do not come. */
const SHORT_PATIENCE = 1500;

/** Fuzzes one target. */
export async function fuzzTarget(target: Target, { seed, inputs, shrinking, onProgress }: Effort): Promise<Outcome> {
  const stage = new Stage(target);
  const rounds = roundsOf(target, await catalogOf(target));
  let sent = 0;
  try {
    for (let turn = 0; sent < inputs; turn++) {
      const onSent = (count: number): void => void (sent += count);
      const isEnough = (): boolean => sent >= inputs;
      const finding = await check(rounds, { stage, seed: seed + turn, shrinking, onSent, isEnough });
      if (finding) return { inputs: sent, finding: { target: target.name, ...finding } };
      onProgress?.(sent);
    }
    const problems = await stage.leftovers();
    const finding = problems.length > 0 ? { target: target.name, problems, conversations: [] } : undefined;
    return { inputs: sent, finding };
  } finally {
    await stage.close();
  }
}

type Rounds = fc.Arbitrary<Conversation[]>;

function roundsOf({ way }: Target, catalog: Parameters<typeof conversation>[0]): Rounds {
  // Over stdio a conversation is a process.
  if (way === 'stdio')
    return fc.array(conversation(catalog, way, { least: 150, most: 350 }), { minLength: 1, maxLength: 1 });
  return fc.array(conversation(catalog, way, { least: 1, most: 12 }), { minLength: 1, maxLength: 24, size: 'max' });
}

interface Check {
  readonly stage: Stage;
  readonly seed: number;
  readonly shrinking: number;
  readonly onSent: (count: number) => void;
  readonly isEnough: () => boolean;
}

async function check(
  rounds: Rounds,
  { stage, seed, shrinking, onSent, isEnough }: Check,
): Promise<Omit<Finding, 'target'> | undefined> {
  let problems: readonly string[] = [];
  const property = fc.asyncProperty(rounds, async (conversations) => {
    if (isEnough()) return true;
    problems = await stage.play(conversations);
    onSent(countInputs(conversations));
    return problems.length === 0;
  });
  const { failed, counterexample } = await fc.check(property, { seed, numRuns: ROUNDS_A_SEED, endOnFailure: true });
  if (!failed) return undefined;
  stage.patience = SHORT_PATIENCE;
  const fails = async (smaller: readonly Conversation[]): Promise<boolean> => {
    const found = await stage.play(smaller);
    if (found.length > 0) problems = found;
    return found.length > 0;
  };
  const [failing = []] = counterexample ?? [];
  const conversations = await makeSmaller(failing, fails, performance.now() + shrinking);
  return { problems, conversations };
}

/** What of conversations counts as an input: each message, line or request, its opening not among them. */
export function countInputs(conversations: readonly Conversation[]): number {
  return conversations.reduce((sum, { inputs }) => sum + inputs.length, 0);
}
