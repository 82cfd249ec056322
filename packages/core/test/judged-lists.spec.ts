/** What a tool that started the program learns of a list: what the caller may do with each entry, and what decided it. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from '@sigil-mcp/testing';
import {
  Caller,
  createServer,
  Denial,
  Feature,
  RateLimit,
  Roles,
  Scopes,
  Tool,
  UseGuards,
  type Access,
  type Guard,
  type Verdict,
} from '../src';

const CHANNEL = 'sigil:list:judge';
const ran = jest.fn();

class Nobody implements Guard {
  allows(): Verdict {
    return false;
  }
}
class Polite implements Guard {
  allows(): Verdict {
    return new Denial('Not today.');
  }
}
class Broken implements Guard {
  allows(): Verdict {
    throw new RangeError('no disk');
  }
}
class Named implements Guard {
  async allows({ caller }: Access): Promise<Verdict> {
    return Promise.resolve(caller.id === 'ada');
  }
}

@Feature()
class Notes {
  @Tool('For all') @UseGuards(RateLimit({ calls: 1, per: 'hour' })) about(): void {
    ran();
  }
  @Tool('For writers') @Scopes('notes:read', 'notes:write') write(): void {
    ran();
  }
  @Tool('For writers, who see it alone') @Scopes('notes:write', { listed: false }) secret(): void {
    ran();
  }
  @Tool('For admins') @UseGuards(Roles('admin', 'owner')) purge(): void {
    ran();
  }
  @Tool('For Ada') @UseGuards(Named) greet(): void {
    ran();
  }
  @Tool('For nobody') @Scopes('notes:write') @UseGuards(Nobody) none(): void {
    ran();
  }
  @Tool('Refused') @UseGuards(Polite) later(): void {
    ran();
  }
  @Tool('Broken') @UseGuards(Broken) broken(): void {
    ran();
  }
}

interface Announced {
  readonly meta: Readonly<Record<string, unknown>>;
  readonly judge: () => Promise<readonly { readonly entry: { readonly key: string } }[]>;
  readonly waits: Promise<unknown>[];
}

let judged: Record<string, object> = {};
const listen = (message: unknown): void => {
  const { meta, judge, waits } = message as Announced;
  if (meta['test/judge'] !== true) return;
  waits.push(
    judge().then((all) => {
      judged = Object.fromEntries(all.map(({ entry, ...one }) => [entry.key, one]));
    }),
  );
};
beforeEach(() => {
  judged = {};
  subscribe(CHANNEL, listen);
});
afterEach(() => {
  unsubscribe(CHANNEL, listen);
  expect(ran).not.toHaveBeenCalled();
});

/** Lists the tools; the guard that throws makes the answer an error. */
async function list(caller: Caller, meta: Readonly<Record<string, boolean>>): Promise<void> {
  const server = createServer({ name: 'notes', version: '1', features: [Notes], logger: false });
  const client = await connect(server, { as: caller });
  await expect(client.request('tools/list', { _meta: meta })).rejects.toThrow('Internal error');
  await client.close();
}

it('names the guard or the scopes that decide, and never runs a handler', async () => {
  await list(new Caller({ id: 'bob', scopes: ['notes:read'] }), { 'test/judge': true });
  expect(judged).toMatchObject({
    about: { isListed: true, call: 'allowed', guards: ['RateGuard'], asksLater: ['RateGuard'] },
    write: { isListed: true, call: 'scopes', missing: ['notes:write'], guards: [] },
    secret: { isListed: false, call: 'scopes', missing: ['notes:write'] },
    purge: { isListed: false, call: 'hidden', guard: 'Roles(admin, owner)', asksLater: [] },
    greet: { isListed: false, call: 'hidden', guard: 'Named' },
    none: { isListed: false, call: 'hidden', guard: 'Nobody', missing: [] },
    later: { isListed: false, call: 'denied', guard: 'Polite', message: 'Not today.' },
    broken: { isListed: false, call: 'failed', guard: 'Broken', message: 'no disk' },
  });
});

it('agrees with the list that the caller receives', async () => {
  @Feature()
  class Sound {
    @Tool('For all') about(): void {
      ran();
    }
    @Tool('For writers') @Scopes('notes:write') write(): void {
      ran();
    }
    @Tool('For admins') @UseGuards(Roles('admin')) purge(): void {
      ran();
    }
    @Tool('For Ada') @UseGuards(Named) greet(): void {
      ran();
    }
    @Tool('For writers, who see it alone') @Scopes('notes:write', { listed: false }) secret(): void {
      ran();
    }
  }
  const server = createServer({ name: 'notes', version: '1', features: [Sound], logger: false });
  for (const caller of [
    new Caller({ id: 'ada', scopes: ['notes:write'] }),
    new Caller({ id: 'bob', roles: ['admin'] }),
    new Caller({ id: 'local', kind: 'local' }),
  ]) {
    const client = await connect(server, { as: caller });
    const result = (await client.request('tools/list', { _meta: { 'test/judge': true } })) as {
      tools: { name: string }[];
    };
    const shown = Object.entries(judged).filter(([, one]) => (one as { isListed: boolean }).isListed);
    expect(shown.map(([key]) => key)).toEqual(result.tools.map(({ name }) => name));
    await client.close();
  }
});

it('judges nothing for a request that does not ask for it', async () => {
  await list(new Caller({ id: 'bob' }), {});
  expect(judged).toEqual({});
});
