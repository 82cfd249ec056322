/** The tools with Sigil: `add` returns its data, or the same through `toolResult` with a text of its own. */
require('reflect-metadata');
const { createServer, Describe, Feature, Tool, toolResult } = require('@sigil-mcp/core');
const { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString, Max, MaxLength, Min } = require('class-validator');
const { method, property } = require('./decorate.cjs');

const TOOLS_OF_A_FEATURE = 10;

class Numbers {}
property(Numbers, 'a', Number, IsNumber());
property(Numbers, 'b', Number, IsNumber());
class Sum {}
property(Sum, 'sum', Number, IsNumber());
class Text {}
property(Text, 'text', String, IsString(), MaxLength(65_536));

/** @param {{ tools: number, parts?: boolean }} order how many tools, and whether `add` writes its text */
exports.createBenchServer = ({ tools, parts }) => {
  const features = [basics(parts)];
  for (let first = 2; first < tools; first += TOOLS_OF_A_FEATURE)
    features.push(madeFeature(first, Math.min(first + TOOLS_OF_A_FEATURE, tools)));
  return createServer({ name: 'bench', version: '1.0.0', features, logger: false });
};

function basics(parts) {
  class Basics {}
  const run = parts
    ? ({ a, b }) => toolResult({ content: String(a + b), structured: { sum: a + b } })
    : ({ a, b }) => ({ sum: a + b });
  const add = Tool('Adds two numbers and returns the sum.', { output: Sum });
  method(Basics, { name: 'add', takes: Numbers, returns: Sum, run }, add);
  const echo = { name: 'echo', takes: Text, returns: String, run: ({ text }) => text };
  method(Basics, echo, Tool('Returns the text it was given.'));
  Feature()(Basics);
  return Basics;
}

function madeFeature(first, end) {
  class Lookups {}
  for (let index = first; index < end; index += 1) addMadeTool(Lookups, String(index).padStart(4, '0'));
  Feature()(Lookups);
  return Lookups;
}

function addMadeTool(feature, number) {
  const name = `Query${number}`;
  const Query = { [name]: class {} }[name];
  property(Query, 'query', String, Describe('What to look for'), IsString());
  property(Query, 'limit', Number, IsOptional(), IsInt(), Min(1), Max(100));
  property(Query, 'recursive', Boolean, IsOptional(), IsBoolean());
  property(Query, 'mode', String, IsIn(['fast', 'exact', 'fuzzy']));
  const decorate = Tool(`Generated tool number ${number}: looks something up in collection ${number}.`);
  const run = ({ query }) => `${number}:${query}`;
  method(feature, { name: `tool_${number}`, takes: Query, returns: String, run }, decorate);
}
