/** The cost of a server as tables for users, and as data for programs; and what to cut where it is over a budget. */
import type { Typography } from '../inspect/describe-server';
import { shownName } from '../offer/offered-server';
import { columns, type Cell } from '../terminal/columns';
import { oneLine, plainMarkdown } from '../terminal/server-text';
import { placeText, type AudienceCost, type EntryCost, type OfferCost, type TextCost } from './offer-cost';

/** How many texts are shown, and how many of their characters. */
const MOST_TEXTS = 10;
const MOST_CHARACTERS = 70;
/** Texts of fewer tokens are not worth a line. */
const FEW_TOKENS = 8;
const INDENT = 2;
const FIX =
  "Shorten them, move details to a resource or a skill, name a resource in place of a long list of values, or hide tools with @Scopes('...', { listed: false }).";
/** How many tools are named over a budget. */
const MOST_TOOLS = 5;

/** The tables, without line ends. */
export function describeCost(name: string, cost: OfferCost, page: Typography): readonly string[] {
  const { styles } = page;
  const [dearest] = cost.audiences;
  return [
    `${styles.bold(oneLine(name))} costs ${shownCount(dearest?.tokens ?? 0)} tokens in every conversation (${cost.encoding}): instructions ${shownCount(cost.instructions)}, ${shownCount(dearest?.tools ?? 0)} tools ${shownCount((dearest?.tokens ?? 0) - cost.instructions)}`,
    ...section('Entries', entryRows(cost.entries, page), page),
    ...section('Lists', listRows(cost.audiences, page), page),
    ...section('Texts that cost most', textRows(cost.texts, page), page),
  ];
}

function section(title: string, rows: readonly (readonly Cell[])[], { width, styles }: Typography): readonly string[] {
  return rows.length === 0 ? [] : ['', styles.bold(title), ...columns(rows, { width, indent: INDENT })];
}

const HEADS = ['tokens', 'name', 'description', 'arguments', 'result'];

function entryRows(costs: readonly EntryCost[], { styles }: Typography): Cell[][] {
  if (costs.length === 0) return [];
  const head = [...HEADS, 'entry'].map((text) => ({ text, style: styles.dim }));
  return [
    head,
    ...costs.map((cost): Cell[] => {
      const numbers = [cost.tokens, cost.name, cost.description, cost.arguments, cost.result];
      const cells = numbers.map((count, index) => ({
        text: shownCount(count).padStart(HEADS[index]?.length ?? 0),
        style: [styles.warn][index] ?? styles.dim,
      }));
      return [...cells, { text: oneLine(shownName(cost.entry)), style: styles.name }];
    }),
  ];
}

function listRows(audiences: readonly AudienceCost[], { styles }: Typography): Cell[][] {
  return audiences.map(({ name, lists }): Cell[] => [
    { text: name, style: styles.name },
    {
      text: lists
        .filter(({ entries }) => entries > 0)
        .map(({ title, entries, tokens }) => `${title} ${shownCount(tokens)} (${entries})`)
        .join(', '),
    },
  ]);
}

function textRows(texts: readonly TextCost[], { styles }: Typography): Cell[][] {
  return texts
    .slice(0, MOST_TEXTS)
    .filter(({ tokens }) => tokens >= FEW_TOKENS)
    .map((cost): Cell[] => [
      { text: shownCount(cost.tokens).padStart(5), style: styles.warn },
      { text: oneLine(placeText(cost)), style: styles.name },
      { text: `"${shortened(oneLine(cost.text))}"` },
    ]);
}

function shortened(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} ...` : text;
}

/** A number with separators, such as `12,345`. */
export function shownCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** The cost as data: without the definitions themselves. */
export function costData({ encoding, instructions, entries, audiences, texts }: OfferCost): object {
  return {
    encoding,
    instructions,
    audiences,
    entries: entries.map(({ entry: { kind, key, place }, ...tokens }) => ({
      kind,
      key,
      ...(place !== undefined && { place }),
      ...tokens,
    })),
    texts: texts.slice(0, MOST_TEXTS).map(({ text, tokens, places }) => ({
      text,
      tokens,
      places: places.map(({ entry: { kind, key }, where }) => ({ kind, key, where })),
    })),
  };
}

/** The audience that pays more than a budget allows, by most; undefined if none does. */
export function overBudget({ audiences }: OfferCost, budget: number | undefined): AudienceCost | undefined {
  const [dearest] = audiences;
  return budget !== undefined && dearest && dearest.tokens > budget ? dearest : undefined;
}

/** What is over the budget, and what costs most, as lines. */
export function describeOver(
  cost: OfferCost,
  { over, budget }: { readonly over: AudienceCost; readonly budget: number },
  page: Typography,
): readonly string[] {
  const { styles } = page;
  const tools = cost.entries.filter(({ entry }) => entry.kind === 'tool').slice(0, MOST_TOOLS);
  return [
    '',
    `${styles.bad('budget')}  ${shownCount(over.tokens)} of ${shownCount(budget)} tokens for ${audienceText(over)}: cut ${shownCount(over.tokens - budget)}`,
    `  The tools that cost most: ${tools.map(({ entry, tokens }) => `${oneLine(shownName(entry))} ${shownCount(tokens)}`).join(', ')}`,
    '  The texts that cost most:',
    ...columns(textRows(cost.texts, page), { width: page.width, indent: INDENT }),
    `  → ${FIX}`,
  ];
}

/** The same as Markdown. */
export function overMarkdown(cost: OfferCost, over: AudienceCost, budget: number): string {
  const texts = cost.texts
    .slice(0, MOST_TOOLS)
    .map((text) => `- ${shownCount(text.tokens)}: ${plainMarkdown(placeText(text))}`);
  return [
    `**${shownCount(over.tokens)} of ${shownCount(budget)} tokens for ${plainMarkdown(audienceText(over))}: cut ${shownCount(over.tokens - budget)}.** The texts that cost most:`,
    '',
    ...texts,
    '',
  ].join('\n');
}

function audienceText({ name, tools }: AudienceCost): string {
  return `callers "${oneLine(name)}" (${tools} ${tools === 1 ? 'tool' : 'tools'})`;
}
