/** Results that a revision writes by the parameters of their request, although the results themselves are the same for all clients. */
import {
  ALL_OPERATIONS,
  ALL_REVISIONS,
  ALL_RULES,
  META_KEYS,
  compileRevision,
  extendRevision,
  type JsonObject,
  type Operation,
  type ResultType,
} from '@sigil-mcp/protocol';
import { Feature, MemoryTransport, Tool, createServer } from '../src';

const VERSION = '2030-01-01';
const before = ALL_RULES.at(-1)!;
const LIST = ALL_OPERATIONS.find(({ method }) => method === 'tools/list')!;

/** A list that says which cursor it was asked for. */
const ECHOING: Operation<string, { cursor?: string }> = {
  ...LIST,
  resultDependsOnParams: true,
  compile(wire) {
    const codec = LIST.compile(wire);
    return {
      ...codec,
      readParams: ({ said }) => ({ said }) as object,
      writeResult: (result, params) => ({ ...codec.writeResult(result), said: (params as { said: string }).said }),
    };
  },
};
const revision = compileRevision(
  extendRevision(before, { version: VERSION, removes: { requests: [LIST] }, adds: { requests: [ECHOING] } }),
);

@Feature()
class Shop {
  @Tool('Sells') sell(): string {
    return 'sold';
  }
}

it('belong to a revision that may have types of results, too', async () => {
  const job: ResultType = { name: 'job', methods: ['tools/call'], write: () => ({}), read: (result) => result };
  const typed = compileRevision(
    extendRevision(revision.rules, { version: '2030-02-02', adds: { resultTypes: [job] } }),
  );
  const revisions = [...ALL_REVISIONS, typed];
  const server = createServer({ name: 'shop', version: '1.0.0', logger: false, features: [Shop], revisions });
  await server.close();
});

it('are written for each request, and those of other revisions once', async () => {
  const revisions = [...ALL_REVISIONS, revision];
  const server = createServer({ name: 'shop', version: '1.0.0', logger: false, features: [Shop], revisions });
  const transport = new MemoryTransport();
  await server.listen(transport);
  let answered: (answer: JsonObject) => void = () => undefined;
  const pipe = transport.connect((text) => answered(JSON.parse(text) as JsonObject));
  const list = (said: string, version = VERSION): Promise<JsonObject> =>
    new Promise((resolve) => {
      answered = resolve;
      const _meta = { [META_KEYS.protocolVersion]: version, [META_KEYS.clientCapabilities]: {} };
      pipe.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { said, _meta } }));
    });
  expect(await list('one')).toMatchObject({ result: { said: 'one', tools: [{ name: 'sell' }] } });
  expect(await list('two')).toMatchObject({ result: { said: 'two', tools: [{ name: 'sell' }] } });
  expect((await list('three', before.version))['result']).not.toHaveProperty('said');
  await server.close();
});
