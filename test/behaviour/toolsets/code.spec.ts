/** Scripts in place of many calls: what they may use, how they fail, and how users are asked. */
import { setImmediate as turn } from 'node:timers/promises';
import { tool } from '@sigil-mcp/core';
import { connect, ManualClock } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { z } from 'zod';
import { RecordedAudit } from '../audit/recorded-audit';
import { until } from '../../support/until';
import { codeErp, run } from './code-erp';

/** For the tests that need no other server: a compiler takes a second to start. */
const audit = new RecordedAudit();
const notes: string[] = [];
const note = tool('note', { description: 'Notes something', input: z.object({ word: z.string() }) }, ({ word }) => {
  notes.push(word);
  return word;
});
const slow = tool('slow', { description: 'Takes some time' }, async () => {
  for (let turns = 0; turns < 50; turns++) await turn();
  notes.push('slow');
  return 'late';
});
const { server, done } = codeErp({}, { features: [note, slow], observers: [audit.observer] });
beforeEach(() => {
  done.splice(0);
  notes.splice(0);
});
afterAll(() => server.close());

eachRevision('lists one tool, finds the others, and calls them', async ({ connect: open }) => {
  const client = await open(server);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['run_code']);
  const found = await run(client, "return search('send invoice', 1)");
  expect(found).toMatchObject({ isError: false });
  expect(found.text).toContain('/** Sends an invoice to a customer by e-mail */\ntools.sendInvoice(given: {');
  expect(found.text).toContain('readonly amount: number;');
  const sent = await run(
    client,
    `const [one, two] = await Promise.all([
       tools.sendInvoice({ customer: '1', amount: 2 }),
       tools.sendInvoice({ customer: '2', amount: 3 }),
     ]);
     console.log('sent', one.invoice, { two });
     return one.amount + two.amount;`,
  );
  expect(sent).toMatchObject({ isError: false, text: '5' });
  expect(sent.console).toBe('Console:\nsent for 1 {"two":{"invoice":"for 2","amount":3}}');
});

it('answers with what the compiler finds, and runs nothing', async () => {
  const client = await connect(server);
  const wrong = await run(
    client,
    'await tools.wait();\nawait tools.sendInvoice({ customer: 7, amount: 1 });\ntools.sendInvoices;\nprocess.exit();',
  );
  expect(wrong.isError).toBe(true);
  expect(wrong.text).toContain("2:27 Type 'number' is not assignable to type 'string'.");
  expect(wrong.text).toContain("3:7 Property 'sendInvoices' does not exist");
  expect(wrong.text).toContain("4:1 Cannot find name 'process'");
  expect(done).toEqual([]);
  expect((await run(client, 'return 1 +')).text).toMatch(/1:\d+ Expression expected|2:1 Expression expected/);
});

it('takes answers of tools up to their longest', async () => {
  const input = z.object({ length: z.int() });
  const write = tool('write', { description: 'Writes', input }, ({ length }) => 'x'.repeat(length));
  const own = codeErp({ limits: { answer: 1000 } }, { features: [write] });
  const client = await connect(own.server);
  // As JSON, a text has two characters more.
  expect(await run(client, 'return String(await tools.write({ length: 998 })).length')).toMatchObject({ text: '998' });
  expect((await run(client, 'await tools.write({ length: 999 })')).text).toContain(
    'write answered with 1001 characters; a script takes 1000 (limits.answer).',
  );
  await own.server.close();
});

it('calls no tool with arguments that are longer than they may be', async () => {
  const own = codeErp({ limits: { answer: 1000 } });
  const client = await connect(own.server);
  const send = (length: number): string =>
    `try { return await tools.sendInvoice({ customer: 'x'.repeat(${length}), amount: 1 }); } catch (error) { return error.message; }`;
  // The JSON around the text has 26 characters.
  expect((await run(client, send(974))).text).toMatch(/^sendInvoice answered with \d+ characters/);
  expect((await run(client, send(975))).text).toBe('Arguments have up to 1000 characters (limits.answer).');
  await own.server.close();
});

it('throws the errors of tools, with their words', async () => {
  const client = await connect(server);
  const caught = await run(
    client,
    `try { await tools.fail(); } catch (error) {
       return { is: error instanceof ToolError, tool: error.tool, message: error.message };
     }`,
  );
  expect(caught.structured).toEqual({ result: { is: true, tool: 'fail', message: 'There is no paper.' } });
  expect(await run(client, 'await tools.fail()')).toMatchObject({
    isError: true,
    text: 'tools.fail failed: There is no paper.',
  });
  expect(await run(client, 'return (null as never as { x: number }).x')).toMatchObject({
    isError: true,
    text: expect.stringContaining('The script failed: TypeError') as string,
  });
  const refused = (start: Promise<unknown>) =>
    start.then(
      () => '',
      (error: Error) => error.message,
    );
  expect(await refused(run(client, 'return tools.locked()'))).toBe(await refused(client.callTool('locked')));
  expect((await run(client, 'return tools.locked().catch((error) => error.message)')).text).toBe(
    'The safe opens at nine.',
  );
});

it('has only the tools that the caller may see', async () => {
  const guest = await connect(server, { as: { id: 'bob' } });
  const clerk = await connect(server, { as: { id: 'ada', roles: ['finance'] } });
  expect((await run(clerk, 'return tools.payroll()')).text).toBe('Salaries are paid.');
  expect((await run(guest, 'return tools.payroll()')).text).toContain("Property 'payroll' does not exist");
  expect((await run(guest, "return search('payroll salaries')")).text).not.toContain('payroll');
  expect((await run(guest, 'return (tools as any).payroll()')).text).toContain('not a function');
});

eachRevision(
  'asks the user for tools that ask, and runs each tool once',
  async ({ connect: open, revision }) => {
    const questions: string[] = [];
    const client = await open(server, {
      capabilities: { elicitation: { form: {} } },
      answers: (question) => {
        questions.push(question.method);
        return { action: 'accept', content: { ok: true } };
      },
    });
    const ran = await run(
      client,
      `const start = Date.now();
       await tools.note({ word: 'before ' + Math.random() });
       const paid = await Promise.all([tools.pay({ iban: 'A' }), tools.pay({ iban: 'B' }), tools.note({ word: 'beside' })]);
       await tools.note({ word: 'after' });
       return [...paid, Date.now() - start];`,
    );
    expect(ran).toMatchObject({ isError: false, structured: { result: ['Paid.', 'Paid.', 'beside', 0] } });
    expect(questions).toHaveLength(2);
    expect(done.sort()).toEqual(['paid A', 'paid B']);
    expect(notes.map((word) => word.split(' ')[0])).toEqual(['before', 'beside', 'after']);
    expect(revision >= '2025-06-18').toBe(true);
  },
  { since: '2025-06-18' },
);

it('stops a script, and the tools that it has called, when the call is cancelled', async () => {
  const client = await connect(server);
  const { id } = client.start('tools/call', { name: 'run_code', arguments: { code: 'return tools.wait()' } });
  await until(() => done.includes('waiting'));
  client.cancel(id);
  await until(() => done.includes('cancelled'));
});

it('answers other requests while a script computes', async () => {
  const { server } = codeErp({ limits: { cpu: 1500 } });
  const client = await connect(server, { revision: '2025-11-25' });
  await run(client, 'return 1');
  let isOver = false;
  const busy = run(client, 'for (;;);').finally(() => (isOver = true));
  let answered = 0;
  for (; !isOver; answered += 1) {
    await client.request('ping', {});
    await turn();
  }
  expect((await busy).text).toContain('limits.cpu');
  expect(answered).toBeGreaterThan(10);
  await server.close();
});

it('waits for tools that a script did not wait for', async () => {
  const client = await connect(server);
  expect(await run(client, 'void tools.slow(); return 1')).toMatchObject({ text: '1' });
  expect(notes).toEqual(['slow']);
});

it('leaves nothing behind: no thread, and no memory of scripts that have ended', async () => {
  const client = await connect(server);
  const fill = 'const all = Array.from({ length: 100_000 }, (_, index) => index); return all.length';
  for (let runs = 0; runs < 5; runs++) await run(client, fill);
  const before = process.memoryUsage().rss;
  for (let runs = 0; runs < 20; runs++) expect((await run(client, fill)).text).toBe('100000');
  // Each run takes more than two megabytes.
  expect(process.memoryUsage().rss - before).toBeLessThan(20 * 2 * 1024 * 1024);
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Worker')).toEqual([]);
});

it('gives up a script that the compiler cannot check in its time, and checks the next', async () => {
  const { server } = codeErp({ limits: { check: 1 } });
  const client = await connect(server);
  expect((await run(client, 'return 1')).text).toContain('limits.check');
  await server.close();
});

it('does not count the turn of a tool as time of the script that calls it', async () => {
  const ends: (() => void)[] = [];
  const till = tool('till', { description: 'One customer at a time', concurrency: 1 }, () => {
    return new Promise<string>((resolve) => ends.push(() => resolve('paid')));
  });
  const clock = new ManualClock();
  const { server } = codeErp({ limits: { time: 1000 } }, { clock, features: [till] });
  const [bob, ada] = [await connect(server, { as: { id: 'bob' } }), await connect(server, { as: { id: 'ada' } })];
  const first = run(bob, 'return tools.till()');
  await until(() => ends.length === 1);
  const told: (string | undefined)[] = [];
  const code = { code: 'return tools.till()' };
  const second = ada.callTool('run_code', code, { onProgress: ({ message }) => told.push(message) });
  await until(() => told.includes('The tool till waits for its turn.'));
  await clock.advance(900);
  ends[0]?.();
  expect(await first).toMatchObject({ text: 'paid' });
  await until(() => ends.length === 2);
  await clock.advance(900);
  ends[1]?.();
  expect(await second).toMatchObject({ isError: false });
  expect(told.at(-1)).toBe('The tool till runs.');
  await server.close();
});

it('refuses options that it does not know', () => {
  expect(() => codeErp({ limits: { cpu: 0 } })).toThrow('codeToolset({ limits: { cpu } }): it is 0.');
  expect(() => codeErp({ limits: { cups: 1 } as never })).toThrow('SIGIL_OPTION_UNKNOWN');
  expect(() => codeErp({ always: ['nothing'] })).toThrow('SIGIL_TOOLSETS_ALWAYS');
});

it('records the tools that a script calls', async () => {
  const client = await connect(server, { as: { id: 'ada', roles: ['finance'] } });
  const before = audit.of('tools/call').length;
  await run(client, 'await tools.payroll(); await tools.fail().catch(() => 0)');
  const records = audit.of('tools/call').slice(before);
  const outer = records.find(({ entry }) => entry?.key === 'run_code');
  expect(records.filter(({ within }) => within !== undefined)).toMatchObject([
    { entry: { key: 'payroll' }, within: outer?.id },
    { entry: { key: 'fail' }, outcome: 'tool_error', within: outer?.id },
  ]);
});

it.each([
  ['Latin', 'a'],
  ['Han', '漢'],
  ['a quote that JSON escapes', '"'],
  ['half of a pair', '\\ud840'],
])('searches for up to 500 characters of %s, and reads nothing of more', async (_script, letter) => {
  const client = await connect(server);
  const segment = jest.spyOn(Intl.Segmenter.prototype, 'segment');
  const search = (length: number) =>
    run(client, `return search('${letter}'.repeat(${length})).catch((error) => error.message)`);
  expect((await search(500)).text).not.toContain('500 characters');
  segment.mockClear();
  for (const length of [501, 5000, 1_000_000])
    expect((await search(length)).text).toBe('search() takes words of up to 500 characters.');
  expect(segment).not.toHaveBeenCalled();
  segment.mockRestore();
});

it('reads what a script gives search() in place of its arguments as an error', async () => {
  const client = await connect(server);
  const spoilt = await run(
    client,
    '(Object.prototype as any).toJSON = () => null; return search("invoice").catch((error) => error.message)',
  );
  expect(spoilt.text).toBe('search() takes words as text.');
});

it('shows no more of the console, of an error and of the name of its tool than the limits say', async () => {
  const { server } = codeErp({ limits: { console: 100, result: 1000 } });
  const client = await connect(server);
  const long = await run(client, "throw new Error('x'.repeat(3_000_000))");
  expect(long.isError).toBe(true);
  expect(long.text.length).toBeLessThan(1100);
  expect(long.text).toContain('…');
  const name = await run(client, "throw new ToolError('no', 'y'.repeat(3_000_000))");
  expect(name.text.length).toBeLessThan(1100);
  const replaced = await run(
    client,
    `String.prototype.slice = () => 'y'.repeat(3_000_000); console.log('z'.repeat(30_000));
     Object.defineProperty(String.prototype, 'length', { value: 0 }); console.log('z'.repeat(3_000_000)); return 1`,
  );
  expect(replaced.console.length).toBeLessThan(200);
  const many = await run(client, "for (let i = 0; i < 5000; i++) console.log(''); return 1");
  expect(many.console.length).toBeLessThan(250);
  await server.close();
});
