/** The sensitive variables in a URI. */
import type { ReportedEntry } from '../dev/request-report';

/** An expression of a template, with what may begin and follow it. */
const EXPRESSION = /\{([^{}]+)\}/;

/** The texts of sensitive variables, if the URI fits the template: rather too many than too few. */
export function sensitiveInUri(uri: string, { key: template, input }: ReportedEntry): string[] {
  const names = new Set((input?.sensitive ?? []).map(([name]) => name));
  // Every other part is an expression.
  const parts = template.split(EXPRESSION);
  const literals = parts.filter((_, index) => index % 2 === 0);
  return groupsOf(uri, literals).flatMap((group, index) => {
    const variables = (parts[2 * index + 1] ?? '').split(/[+#./;?&,]/).map((name) => name.replace(/[*:].*/s, ''));
    const isSensitive = variables.some((name) => names.has(name));
    // Two expressions side by side cannot be told apart.
    const isAlone = [parts[2 * index], parts[2 * index + 2]].every((literal) => literal !== '' || index === 0);
    return isSensitive || !isAlone ? valuesIn(group).filter((value) => !variables.includes(value)) : [];
  });
}

/**
 * What is between the literals, each as short as possible; nothing if they do not fit. A regular expression would try every way to divide a
 * long URI.
 */
function groupsOf(uri: string, [first = '', ...others]: readonly string[]): string[] {
  const last = others.pop();
  if (last === undefined || !uri.startsWith(first)) return [];
  const groups: string[] = [];
  let at = first.length;
  for (const literal of others) {
    const next = uri.indexOf(literal, at);
    if (next === -1) return [];
    groups.push(uri.slice(at, next));
    at = next + literal.length;
  }
  const end = uri.length - last.length;
  return end >= at && uri.endsWith(last) ? [...groups, uri.slice(at, end)] : [];
}

/** A group with its separators, its values, and what they stand for. */
function valuesIn(group: string): string[] {
  const values = group.split(/[/.;?&=,#]/).filter(Boolean);
  return [...values, ...values.map(decoded)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
