/**
 * The client of `@sigil-mcp/client` as the official suite wants it: a program that gets the URL of a server, and the name of a scenario in
 * `MCP_CONFORMANCE_SCENARIO`. It does what the scenario judges.
 */
import { createRequire } from 'node:module';

const { connect } = createRequire(import.meta.url)('@sigil-mcp/client');
const url = process.argv.at(-1);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');

/** Connects, with handlers for every question, which accept without filling in anything. */
const open = () =>
  connect(
    { url },
    {
      onElicit: ({ requestedSchema }) => ({ action: 'accept', content: filledIn(requestedSchema) }),
      onSample: () => ({ role: 'assistant', content: [{ type: 'text', text: 'Yes.' }], model: 'none' }),
      onRoots: () => [],
      onFault: ({ message }) => process.stderr.write(`${message}\n`),
    },
  );

/** The required booleans; everything else is left to the defaults of the form. */
const filledIn = ({ properties }) =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([, { type, default: given }]) => type === 'boolean' && given === undefined)
      .map(([name]) => [name, true]),
  );

const callAll = async (client, argumentsOf = () => ({})) => {
  for (const { name } of await client.allTools()) await client.callTool(name, argumentsOf(name));
};

/** Scenario -> what the client does after it has connected; the others list the tools. */
const SCENARIOS = {
  tools_call: (client) => client.callTool('add_numbers', { a: 5, b: 3 }),
  'elicitation-sep1034-client-defaults': callAll,
  'sse-retry': (client) => client.callTool('test_reconnection'),
  'sep-2322-client-request-state': callAll,
  'http-invalid-tool-headers': (client) => callAll(client, () => ({ region: 'us-west1' })),
  'http-standard-headers': async (client) => {
    await callAll(client);
    for (const { uri } of await client.allResources()) await client.readResource(uri);
    for (const { name } of await client.allPrompts()) await client.getPrompt(name);
  },
  'http-custom-headers': async (client) => {
    await client.allTools();
    for (const { name, arguments: args } of context.toolCalls) await client.callTool(name, args);
  },
  'json-schema-2020-12-preservation': async (client) => {
    const tool = (await client.allTools()).find(({ name }) => name === 'json_schema_2020_12_tool');
    await client.callTool('json_schema_echo', { schema: tool.inputSchema });
  },
  'request-metadata': async (client) => {
    await client.allTools();
    await client.callTool('any');
  },
};

const client = await open();
try {
  const play = SCENARIOS[process.env.MCP_CONFORMANCE_SCENARIO];
  if (play) await play(client);
  else await client.allTools();
} finally {
  await client.close();
}
