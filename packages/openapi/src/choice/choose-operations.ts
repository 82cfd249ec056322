/** Which operations become tools: those that were typed, those of the last run, or those that a person picks. */
import { failure, wrongUsage } from '../errors';
import type { LockedChoice } from '../merge/lock';
import type { ApiOperation, LeftOperation } from '../operations/operation';
import type { ReadOperations } from '../operations/read-operations';
import { groupOf } from '../plan/plan-features';
import { type Rules, matchesAny } from '../plan/rules';

/** More tools than these are not written unasked. */
const MOST_UNASKED = 40;

/** What a person typed. */
export interface TypedChoice {
  readonly tags: readonly string[];
  readonly only: readonly string[];
  readonly all: boolean;
}

/** Lets a person pick; undefined without a terminal. */
export type PickOperations = (operations: readonly ApiOperation[]) => Promise<readonly ApiOperation[]>;

/** Where the choice comes from. */
export interface ChoiceSource {
  readonly typed: TypedChoice;
  readonly rules: Rules;
  /** Of the last run. */
  readonly locked: LockedChoice | undefined;
  readonly pick: PickOperations | undefined;
}

/** The chosen operations, with what the lock remembers of the choice. */
export interface Chosen {
  readonly operations: readonly ApiOperation[];
  /** Those that were chosen, and cannot be tools. */
  readonly left: readonly LeftOperation[];
  readonly choice: Omit<LockedChoice, 'rules'>;
}

/** Chooses. What was chosen before stays chosen. @throws CliFailure if nothing was chosen of many */
export async function chooseOperations(read: ReadOperations, source: ChoiceSource): Promise<Chosen> {
  const { typed, rules, locked, pick } = source;
  const { operations: all } = read;
  checkTyped(read, typed);
  const choice = {
    tags: unique([...(locked?.tags ?? []), ...typed.tags]),
    only: unique([...(locked?.only ?? []), ...typed.only]),
    picked: locked?.picked ?? [],
    all: typed.all || (locked?.all ?? false),
  };
  const patterns = [...choice.only, ...rules.include];
  const isAsked = choice.all || choice.tags.length + patterns.length + choice.picked.length > 0;
  const isOpen = (operation: ApiOperation): boolean => !matchesAny(operation, rules.exclude);
  const open = all.filter(isOpen);
  const left = read.left.filter(({ operation }) => isOpen(operation));
  if (isAsked) {
    const isWanted = (operation: ApiOperation): boolean =>
      choice.all || isChosen(operation, { ...choice, only: patterns });
    const wanted = left.filter(({ operation }) => isWanted(operation));
    return { operations: open.filter(isWanted), left: wanted, choice };
  }
  if (pick) {
    const picked = await pick(open);
    const groups = picked.map(groupOf);
    const near = left.filter(({ operation }) => groups.includes(groupOf(operation)));
    return { operations: picked, left: near, choice: { ...choice, picked: picked.map(({ key }) => key) } };
  }
  if (open.length > MOST_UNASKED) throw tooMany(open);
  return { operations: open, left, choice: { ...choice, all: true } };
}

function isChosen(operation: ApiOperation, { tags, only, picked }: Omit<LockedChoice, 'rules'>): boolean {
  const { key } = operation;
  return isTagged(operation, tags) || matchesAny(operation, only) || picked.includes(key);
}

/** By its tags, or by the group that stands for a tag. */
function isTagged(operation: ApiOperation, tags: readonly string[]): boolean {
  const own = [...operation.tags, groupOf(operation)].map((tag) => tag.toLowerCase());
  return tags.some((tag) => own.includes(tag.toLowerCase()));
}

/** What was chosen in an earlier run and fits no operation of the document any more, in words. */
export function uselessChoices(locked: LockedChoice | undefined, all: readonly ApiOperation[]): string[] {
  const { tags = [], only = [] } = locked ?? {};
  return [
    ...tags.filter((tag) => !all.some((each) => isTagged(each, [tag]))).map((tag) => `the tag ${tag}`),
    ...only.filter((pattern) => !all.some((each) => matchesAny(each, [pattern]))),
  ];
}

function checkTyped(read: ReadOperations, { tags, only }: TypedChoice): void {
  const { operations: tools, left } = read;
  const all = [...tools, ...left.map(({ operation }) => operation)];
  const unknown = tags.find((tag) => !all.some((operation) => isTagged(operation, [tag])));
  if (unknown !== undefined) {
    const groups = unique(tools.map(groupOf));
    const shown =
      groups.length > 30 ? `${groups.slice(0, 30).join(', ')} and ${groups.length - 30} more` : groups.join(', ');
    throw wrongUsage('SIGIL_OPENAPI_UNKNOWN_TAG', { tag: unknown, tags: shown });
  }
  const useless = only.filter((pattern) => !all.some((operation) => matchesAny(operation, [pattern])));
  if (useless.length > 0)
    throw wrongUsage('SIGIL_OPENAPI_NO_MATCH', { patterns: useless.join(', '), example: exampleOf(tools[0]) });
  const isTyped = (operation: ApiOperation): boolean => isTagged(operation, tags) || matchesAny(operation, only);
  const [first] = tools.some(isTyped) ? [] : left.filter(({ operation }) => isTyped(operation));
  // Beside others, the report names it.
  if (first) throw wrongUsage('SIGIL_OPENAPI_NO_TOOL', { operation: first.operation.key, reason: first.reason });
}

function tooMany(open: readonly ApiOperation[]): Error {
  const [first] = open;
  const tag = first ? groupOf(first) : '';
  return failure('SIGIL_OPENAPI_MANY', { count: open.length, tag, operation: exampleOf(first) });
}

function exampleOf(operation: ApiOperation | undefined): string {
  return operation?.id ?? operation?.key ?? '';
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
