/** What `docs/how-to/guards-and-interceptors.md` says about decorators of one's own. */
import {
  Feature,
  Tool,
  createFact,
  createServer,
  tool,
  type Access,
  type EntryFacts,
  type Guard,
} from '@sigil-mcp/core';
import { connect, eachRevision, matchers } from '@sigil-mcp/testing';

expect.extend(matchers);

// #region fact
/** The roles of which a caller needs one. */
export const Roles = createFact<string>({ label: 'Roles' });

/** For every entry: those with `@Roles` are only for callers who have one of the roles. */
class RolesGuard implements Guard {
  readonly dependsOn = 'rights';

  allows({ caller }: Access, entry: EntryFacts): boolean {
    const roles = Roles.allOf(entry);
    return roles.length === 0 || caller.hasRole(...roles);
  }
}

@Feature()
@Roles('admin')
class Accounts {
  @Tool('Lists the accounts') @Roles('clerk') list(): string {
    return 'ada, bob';
  }

  @Tool('Closes an account') close(): string {
    return 'closed';
  }
}
// #endregion fact

// #region function
const audit = tool('audit', { description: 'Shows the log', facts: [Roles.with('auditor')] }, () => 'no entries');
// #endregion function

const about = tool('about', { description: 'Says what this is' }, () => 'a bank');
const server = createServer({
  name: 'bank',
  version: '1.0.0',
  features: [Accounts, audit, about],
  guards: [new RolesGuard()],
  logger: false,
});
afterAll(() => server.close());

const toolsOf = async (...roles: string[]): Promise<string[]> => {
  const client = await connect(server, { as: { id: 'ada', roles } });
  const { tools } = await client.listTools();
  return tools.map(({ name }) => name).sort();
};

eachRevision('guards read what a decorator of one’s own wrote', async ({ connect: open }) => {
  const clerk = await open(server, { as: { id: 'ada', roles: ['clerk'] } });
  expect(await clerk.callTool('list')).toMatchObject({ content: [{ text: 'ada, bob' }] });
  await expect(clerk.callTool('close')).rejects.toThrow('close');
});

it('lists follow it, for classes, methods and functions', async () => {
  expect(await toolsOf('admin')).toEqual(['about', 'close', 'list']);
  expect(await toolsOf('clerk')).toEqual(['about', 'list']);
  expect(await toolsOf('auditor')).toEqual(['about', 'audit']);
  expect(await toolsOf()).toEqual(['about']);
});

it('the value of the method comes before that of the class', () => {
  const entries = [...server.registry.entries('tool')];
  const entry = (key: string) => entries.find((one) => one.key === key);
  expect(Roles.of(entry('list'))).toBe('clerk');
  expect(Roles.allOf(entry('list'))).toEqual(['admin', 'clerk']);
  expect(Roles.of(entry('close'))).toBe('admin');
  expect(Roles.of(entry('about'))).toBeUndefined();
  expect(Roles.allOf(undefined)).toEqual([]);
});

it('a subclass inherits it, and a decorated method replaces it', async () => {
  @Feature()
  class Branch extends Accounts {
    @Tool('Closes an account') @Roles('manager') override close(): string {
      return 'closed here';
    }
  }
  const other = createServer({ name: 'branch', version: '1.0.0', features: [Branch], logger: false });
  await connect(other);
  const roles = [...other.registry.entries('tool')].map((entry) => [entry.key, Roles.allOf(entry)]);
  expect(Object.fromEntries(roles)).toEqual({ list: ['admin', 'clerk'], close: ['admin', 'manager'] });
  await other.close();
});
