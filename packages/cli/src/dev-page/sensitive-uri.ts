/** The sensitive variables in a URI. */
import type { ReportedEntry } from '../dev/request-report';

/** An expression of a template, with what may begin and follow it. */
const EXPRESSION = /\{([^{}]+)\}/;

/** The texts of sensitive variables, if the URI fits the template: rather too many than too few. */
export function sensitiveInUri(uri: string, { key: template, input }: ReportedEntry): string[] {
  const names = new Set((input?.sensitive ?? []).map(([name]) => name));
  // Every other part is an expression.
  const parts = template.split(EXPRESSION);
  const pattern = parts.map((part, index) => (index % 2 === 0 ? escaped(part) : '(.*?)')).join('');
  const [, ...groups] = new RegExp(`^${pattern}$`, 's').exec(uri) ?? [];
  return groups.flatMap((group, index) => {
    const variables = (parts[2 * index + 1] ?? '').split(/[+#./;?&,]/).map((name) => name.replace(/[*:].*$/, ''));
    const isSensitive = variables.some((name) => names.has(name));
    // Two expressions side by side cannot be told apart.
    const isAlone = [parts[2 * index], parts[2 * index + 2]].every((literal) => literal !== '' || index === 0);
    return isSensitive || !isAlone ? valuesIn(group).filter((value) => !variables.includes(value)) : [];
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
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
