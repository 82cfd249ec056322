/** Parameters of a handler that decorators of Nest describe: `createParamDecorator`, `@Body`, `@Headers`, `@Req`, `@Ip`. */
import type { ParamsFactory } from '@nestjs/core';
import type { Constructor } from '@sigil-mcp/core';
import type { McpArguments } from './execution-context';
import { identifyClass, parametersOf, writeParameters, type DescribedParameter } from './nest-metadata';

/** The numbers of Nest for kinds of parameters. */
const REQUEST = 0;
const BODY = 3;
/** Of `@Ctx()` of microservices; routes use it for the query, which a call does not have. */
const CONTEXT = 4;
const HEADERS = 6;
const IP = 11;
/** Nest tells pipes that a parameter of a kind it does not know is `custom`. `ValidationPipe` does not validate those again. */
const INPUT = 100;

/** The positions of the parameters that Nest supplies: all decorated ones but the input. */
export function suppliedBy(feature: Constructor, member: string): readonly number[] {
  return Object.entries(parametersOf(feature, member)).flatMap(([key, { index }]) => (isBody(key) ? [] : [index]));
}

/**
 * Writes, for Nest, which parameters of a method pass through its pipes.
 * @param input the position of the input; -1 without one
 * @returns their positions
 */
export function describeParameters(feature: Constructor, member: string, input: number): readonly number[] {
  const own = Object.entries(parametersOf(feature, member)).map(([key, described]): [string, DescribedParameter] => [
    isBody(key) ? `${INPUT}:${described.index}` : key,
    described,
  ]);
  const all: Record<string, DescribedParameter> = Object.fromEntries(own);
  if (input >= 0) all[`${INPUT}:${input}`] ??= { index: input, pipes: [] };
  identifyClass(feature);
  writeParameters(feature, member, all);
  return Object.values(all).map(({ index }) => index);
}

/** Finds the values of parameters. @param readInput the validated input of the running call, or a promise of it */
export function parameterValues(readInput: () => unknown): ParamsFactory {
  return {
    exchangeKeyForValue: (type, data, args: McpArguments) => {
      const [request, context] = args;
      if (type === INPUT) return readInput();
      if (type === CONTEXT) return context;
      if (type === REQUEST) return request;
      if (type === IP) return request['ip'];
      if (type !== HEADERS) return undefined;
      return typeof data === 'string' ? context.headers[data.toLowerCase()] : context.headers;
    },
  };
}

function isBody(key: string): boolean {
  return key.startsWith(`${BODY}:`);
}
