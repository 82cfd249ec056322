/** Compiles the writers of all nouns of a revision, each once. */
import { PARTS } from '../rules/nouns';
import type { Noun } from '../rules/nouns';
import { projectFields } from './project-fields';
import type { Writer } from './project-fields';
import type { WireRules } from '../rules/wire-rules';
import { callResultWriter } from './write-call-result';
import { contentWriter } from './write-content';
import { toolWriter } from './write-tool';

/** Noun -> its writer; undefined where the revision does not have it. */
export type NounWriters = (noun: Noun) => Writer | undefined;

/** The writers of a revision's nouns. */
export function nounWriters(rules: WireRules): NounWriters {
  const compiled = new Map<Noun, Writer>();
  const find: NounWriters = (noun) => {
    const fields = rules.fields[noun];
    if (fields === undefined) return undefined;
    const writer = compiled.get(noun) ?? compileNoun(noun, fields, rules, find);
    compiled.set(noun, writer);
    return writer;
  };
  return find;
}

function compileNoun(noun: Noun, fields: readonly string[], rules: WireRules, find: NounWriters): Writer {
  if (noun === 'CallToolResult') return callResultWriter(rules, contentWriter(rules.version, find));
  const project = projectFields(fields, partWriters(noun, rules.version, find));
  return noun === 'Tool' ? toolWriter(rules, project) : project;
}

function partWriters(noun: Noun, version: string, find: NounWriters): Readonly<Record<string, Writer>> {
  const writers: Record<string, Writer> = {};
  for (const [member, part] of Object.entries<Noun | 'ContentBlock'>(PARTS[noun] ?? {})) {
    const writer = part === 'ContentBlock' ? contentWriter(version, find) : find(part);
    if (writer !== undefined) writers[member] = writer;
  }
  return writers;
}
