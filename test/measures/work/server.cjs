/** A server whose calls are counted; decorators are applied by hand, as a TypeScript build emits them. */
require('reflect-metadata');
const { createServer, Feature, Tool, text, toolResult } = require('@sigil-mcp/core');
const { IsNumber, IsOptional, IsString } = require('class-validator');

function property(dto, name, type, ...decorators) {
  for (const decorate of decorators) decorate(dto.prototype, name);
  Reflect.defineMetadata('design:type', type, dto.prototype, name);
}

function tool(name, output, run) {
  Object.defineProperty(Work.prototype, name, { value: run, writable: true, configurable: true });
  const descriptor = Object.getOwnPropertyDescriptor(Work.prototype, name);
  Reflect.defineMetadata('design:type', Function, Work.prototype, name);
  Reflect.defineMetadata('design:paramtypes', [Numbers], Work.prototype, name);
  Reflect.defineMetadata('design:returntype', output ?? Object, Work.prototype, name);
  Tool(`Works: ${name}`, output && { output })(Work.prototype, name, descriptor);
}

class Numbers {}
property(Numbers, 'a', Number, IsNumber());
property(Numbers, 'b', Number, IsNumber());
property(Numbers, 'note', String, IsOptional(), IsString());
class Sum {}
property(Sum, 'sum', Number, IsNumber());

class Work {}
tool('data', Sum, ({ a, b }) => ({ sum: a + b }));
tool('parts', Sum, ({ a, b }) => toolResult({ content: `The sum is ${a + b}.`, structured: { sum: a + b } }));
tool('blocks', undefined, ({ a, b }) => [text('The sum:'), text(String(a + b))]);
tool('later', Sum, ({ a, b }) => Promise.resolve({ sum: a + b }));
Feature()(Work);

/** The tools that are called, each on every way. */
exports.TOOLS = ['data', 'parts', 'blocks', 'later'];
exports.createWorkServer = () => createServer({ name: 'work', version: '1.0.0', features: [Work], logger: false });
