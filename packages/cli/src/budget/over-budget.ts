/** A budget, and what to cut where it is exceeded. */
import { shownName } from '../offer/offered-server';
import { oneLine, plainMarkdown } from '../terminal/server-text';
import type { Styles } from '../terminal/styles';
import { dearestTexts, shownCount } from './describe-cost';
import { placeText, type AudienceCost, type OfferCost } from './offer-cost';

const FIX =
  "Shorten them, move details to a resource or a skill, name a resource in place of a long list of values, or hide tools with @Scopes('...', { listed: false }).";
/** How many tools are named. */
const MOST_TOOLS = 5;

/** The audience that pays more than a budget allows, by most; undefined if none does. */
export function overBudget({ audiences }: OfferCost, budget: number | undefined): AudienceCost | undefined {
  const [dearest] = audiences;
  return budget !== undefined && dearest && dearest.tokens > budget ? dearest : undefined;
}

/** What is over the budget, and what costs most, as lines. */
export function describeOver(
  cost: OfferCost,
  { over, budget }: { readonly over: AudienceCost; readonly budget: number },
  page: { readonly width: number; readonly styles: Styles },
): readonly string[] {
  const { styles } = page;
  const tools = cost.entries.filter(({ entry }) => entry.kind === 'tool').slice(0, MOST_TOOLS);
  return [
    '',
    `${styles.bad('budget')}  ${shownCount(over.tokens)} of ${shownCount(budget)} tokens for ${audienceText(over)}: cut ${shownCount(over.tokens - budget)}`,
    `  The tools that cost most: ${tools.map(({ entry, tokens }) => `${oneLine(shownName(entry))} ${shownCount(tokens)}`).join(', ')}`,
    '  The texts that cost most:',
    ...dearestTexts(cost.texts, page),
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
