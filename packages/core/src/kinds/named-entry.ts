/** What tools and prompts have in common: a name, and a description that comes first. */
import { listedName, type Member } from '../members/member';

/** Written by the decorator of a tool or a prompt. */
interface NamedFact<O> {
  readonly description: string;
  readonly options: O;
}

/** The rules of kinds that are known by a name. */
export const NAMED = {
  keyMember: 'name',
  factOf: <D extends { readonly description: string }>(data: D): NamedFact<D> => ({
    description: data.description,
    options: data,
  }),
  keyOf: (member: Pick<Member, 'name' | 'module'>, { options }: NamedFact<{ readonly name?: string }>): string =>
    listedName(member, options.name ?? member.name),
  reword: <O extends object>(
    { description, options }: NamedFact<O>,
    changes: Partial<NamedFact<unknown>>,
  ): NamedFact<O> => ({ description: changes.description ?? description, options: { ...options, ...changes } }),
} as const;
