/** What a server offers, as its process reports it: enough to say what a version has changed, and what must not be shown of its calls. */
import { createHash } from 'node:crypto';
import type { ReportedEntry, ReportedShape } from './request-report';

/** The parts of the registry that are needed here; it comes from the project's own copy of the framework. */
export interface ListedRegistry {
  entries(kind: string): Iterable<ServerEntry>;
  onChange(listener: () => void): () => void;
}

interface ServerEntry {
  readonly key: string;
  readonly definition: object;
  readonly shapes: { readonly input: ReportedShape | undefined; readonly output: ReportedShape | undefined };
}

const KINDS: readonly ReportedEntry['kind'][] = ['tool', 'resource', 'resource-template', 'prompt'];

/** The enabled entries of a server. */
export function reportEntries(registry: ListedRegistry): ReportedEntry[] {
  return KINDS.flatMap((kind) => [...registry.entries(kind)].map((entry) => reportEntry(kind, entry)));
}

function reportEntry(kind: ReportedEntry['kind'], { key, definition, shapes }: ServerEntry): ReportedEntry {
  const members = Object.entries(definition).map(([name, value]) => [name, digestOf(value)]);
  return {
    kind,
    key,
    members: Object.fromEntries(members) as ReportedEntry['members'],
    input: reportShape(shapes.input),
    output: reportShape(shapes.output),
  };
}

/** Only shapes with sensitive parts are reported. */
function reportShape(shape: ReportedShape | undefined): ReportedShape | undefined {
  const sensitive = shape?.sensitive ?? [];
  return shape && sensitive.length > 0 ? { schema: shape.schema, sensitive } : undefined;
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 12);
}
