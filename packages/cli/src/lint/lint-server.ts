/** The rules for definitions, and everything that breaks them. */
import { shownName, type OfferedEntry, type OfferedServer } from '../offer/offered-server';
import { toolsOf, type DefinitionRule, type Dimension, type FindingSeverity, type RuleBreach } from './definition-rule';
import { textsOf } from './definition-texts';
import { secretArguments, silentArguments, silentResult } from './rules/arguments';
import type { HostName } from './hosts/host-facts';
import { changedByHosts, refusedByHosts } from './hosts/host-rules';
import { contradictoryHints, movesMoney, silentEffects, toxicFlows } from './rules/behaviour';
import { hiddenCharacters, hiddenText, secretText } from './rules/hidden';
import { injectedInstructions, pressingWords } from './rules/injected';
import { longDescription, placeholderText, sameSpelling, unclearPurpose } from './rules/purpose';
import { alikeTools } from './rules/siblings';
import { littleMemory, manyEntries, wellKnownNames } from './rules/size';

/** Every rule, the most serious first. */
export const RULES: readonly DefinitionRule[] = [
  hiddenCharacters,
  hiddenText,
  injectedInstructions,
  secretText,
  placeholderText,
  contradictoryHints,
  unclearPurpose,
  alikeTools,
  sameSpelling,
  silentArguments,
  silentEffects,
  secretArguments,
  pressingWords,
  manyEntries,
  littleMemory,
  refusedByHosts,
  changedByHosts,
  silentResult,
  longDescription,
  movesMoney,
  toxicFlows,
  wellKnownNames,
];

/** What breaks a rule. */
export interface DefinitionFinding {
  readonly rule: string;
  /** The code of Snyk's agent-scan; left out if it has none for this. */
  readonly snyk?: string;
  readonly severity: FindingSeverity;
  readonly dimension: Dimension;
  /** The entry, such as `takeNote` or `resource notes://all`; left out if it is about the server. */
  readonly entry?: string;
  /** Where it stands in the sources, such as `src/notes.feature.ts:12:3`. */
  readonly place?: string;
  readonly problem: string;
  readonly fix: string;
}

const SEVERITIES: readonly FindingSeverity[] = ['error', 'warning', 'hint'];

/**
 * Looks for what breaks the rules.
 * @param allowed names of rules, or codes of agent-scan, that are not looked at
 * @param hosts those that it has to fit, of which everything is said; all if left out, with a few places of each finding
 * @returns the most serious first
 */
export function lintServer(
  server: OfferedServer,
  allowed: readonly string[] = [],
  hosts?: readonly HostName[],
): readonly DefinitionFinding[] {
  const rules = RULES.filter((rule) => !allowed.some((word) => isNamed(rule, word)));
  const findings = rules.flatMap((rule) => {
    const { name, snyk, severity, dimension } = rule;
    return breachesOf(rule, server, hosts).map(({ entry, problem, fix, severity: own }): DefinitionFinding => ({
      rule: name,
      ...(snyk !== undefined && { snyk }),
      severity: own ?? severity,
      dimension,
      ...(entry && { entry: shownName(entry) }),
      ...(entry?.place !== undefined && { place: entry.place }),
      problem,
      fix,
    }));
  });
  return SEVERITIES.flatMap((severity) => findings.filter((finding) => finding.severity === severity));
}

/** Runs a rule on what it looks at. */
function breachesOf(
  rule: DefinitionRule,
  server: OfferedServer,
  hosts: readonly HostName[] | undefined,
): readonly RuleBreach[] {
  if (rule.looksAt === 'server') return [...rule.find(server, hosts)];
  if (rule.looksAt === 'texts' || rule.looksAt === 'prose') {
    const texts = textsOf(server).filter(({ isProse }) => isProse || rule.looksAt === 'texts');
    return texts.flatMap((text) => withEntry(text.entry, rule.judge(text)));
  }
  const entries = rule.looksAt === 'tools' ? toolsOf(server) : server.entries;
  return entries.flatMap((entry) => withEntry(entry, rule.judge(entry)));
}

function withEntry(entry: OfferedEntry | undefined, breach: RuleBreach | false | undefined): RuleBreach[] {
  return breach ? [{ ...breach, entry }] : [];
}

/** Whether a word names a rule, or a code of agent-scan that a rule has. */
export function isRule(word: string): boolean {
  return RULES.some((rule) => isNamed(rule, word));
}

function isNamed({ name, snyk }: DefinitionRule, word: string): boolean {
  return name === word || snyk?.split(', ').includes(word) === true;
}
