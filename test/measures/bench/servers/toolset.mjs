/** The tools that every server under measurement has: `add`, which is called, `echo`, and as many others as are asked for. */

const objectOf = (properties, required) => ({ type: 'object', properties, required });

const ADD = {
  name: 'add',
  description: 'Adds two numbers and returns the sum.',
  inputSchema: objectOf({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
  outputSchema: objectOf({ sum: { type: 'number' } }, ['sum']),
  run: ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], structuredContent: { sum: a + b } }),
};
const ECHO = {
  name: 'echo',
  description: 'Returns the text it was given.',
  inputSchema: objectOf({ text: { type: 'string', maxLength: 65_536 } }, ['text']),
  run: ({ text }) => ({ content: [{ type: 'text', text }] }),
};

/**
 * The tools with their JSON schemas.
 * @param {number} count of all of them
 */
export function toolset(count) {
  return [ADD, ECHO, ...Array.from({ length: count - 2 }, (_, index) => madeTool(index + 2))];
}

function madeTool(index) {
  const number = String(index).padStart(4, '0');
  const properties = {
    query: { type: 'string', description: 'What to look for' },
    limit: { type: 'integer', minimum: 1, maximum: 100 },
    recursive: { type: 'boolean' },
    mode: { type: 'string', enum: ['fast', 'exact', 'fuzzy'] },
  };
  return {
    name: `tool_${number}`,
    description: `Generated tool number ${number}: looks something up in collection ${number}.`,
    inputSchema: objectOf(properties, ['query', 'mode']),
    run: ({ query }) => ({ content: [{ type: 'text', text: `${number}:${query}` }] }),
  };
}
