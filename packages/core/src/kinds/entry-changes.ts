/** The members of an entry that may be changed while the server runs. Its name or URI stays, because clients know it by that. */
import type { RulesOf } from './all-kinds';
import type { PromptData } from './prompt';
import type { ResourceData } from './resource-contents';
import type { ToolData } from './tool';

/** A change of any kind of entry. */
export type EntryChanges = ToolChanges | ResourceChanges | PromptChanges;

/** What may be changed of a tool; what is left out stays as it is. */
export type ToolChanges = Partial<Omit<ToolData, 'kind' | 'name'>>;

/** What may be changed of a resource or a template; what is left out stays as it is. */
export type ResourceChanges = Partial<Omit<ResourceData, 'kind' | 'uri'>>;

/** What may be changed of a prompt; what is left out stays as it is. */
export type PromptChanges = Partial<Omit<PromptData, 'kind' | 'name'>>;

/** Kind of entry -> what may be changed of it. */
export interface ChangesOf {
  readonly tool: ToolChanges;
  readonly resource: ResourceChanges;
  readonly 'resource-template': ResourceChanges;
  readonly prompt: PromptChanges;
}

/** What the class of a decorated entry says; only an entry described by data can change it. */
const WRITTEN_IN_THE_CLASS = [
  'handler',
  'input',
  'output',
  'coerce',
  'guards',
  'interceptors',
  'facts',
  'scopes',
  'public',
  'list',
  'complete',
  'asks',
];

/** The names of those changes that an entry does not allow: its identity and, for a decorated one, what its class says. */
export function refusedChanges({ keyMember }: RulesOf, changes: EntryChanges, isDecorated: boolean): string[] {
  const refused = ['kind', keyMember, ...(isDecorated ? WRITTEN_IN_THE_CLASS : [])];
  return Object.keys(changes).filter((name) => refused.includes(name));
}
