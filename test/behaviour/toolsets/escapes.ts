/** Ways out of a sandbox, and ways to harm the server around it. Each is refused, or ends within the sandbox. */

/** A try. */
export interface Escape {
  readonly title: string;
  readonly code: string;
  /** What the answer must be: of the compiler, of a limit, or the harmless result. */
  readonly answer: RegExp;
}

const NO_COMPILE = /^Nothing was run/;
const CPU = /limits\.cpu/;
const MEMORY = /limits\.memory|out of memory|limits\.cpu|invalid (?:string|array) length|string too long/i;

/** The global object, past the compiler. */
const GLOBAL = '(globalThis as any)';

/** At least 40 tries. */
export const ESCAPES: readonly Escape[] = [
  // Node and its modules.
  { title: 'process by its name', code: 'return process.env', answer: NO_COMPILE },
  { title: 'require by its name', code: "return require('fs')", answer: NO_COMPILE },
  { title: 'fetch by its name', code: "return fetch('http://127.0.0.1')", answer: NO_COMPILE },
  { title: 'a module of Node', code: "const fs = await import('fs'); return fs", answer: NO_COMPILE },
  {
    title: 'a module with a computed name',
    code: "const name: string = 'node:' + 'fs'; return Object.keys(await import(name))",
    answer: /failed|could not load|not supported/i,
  },
  { title: 'an import statement', code: "import fs from 'fs'; return fs", answer: NO_COMPILE },
  {
    title: 'an import statement outside of the function',
    code: "return 1; } import fs from 'fs'; async function more(): Promise<any> {",
    answer: NO_COMPILE,
  },
  {
    title: 'names of Node on the global object',
    code: `return ['process', 'require', 'module', 'fetch', 'Buffer', 'setTimeout', 'WebAssembly', 'Worker', 'XMLHttpRequest', 'Deno', 'Bun', 'std', 'os', 'scriptArgs', 'load'].filter((name) => name in ${GLOBAL})`,
    answer: /^\[\]$/,
  },
  {
    title: 'the constructor of a function',
    code: "return (tools.fail as any).constructor.constructor('return typeof process + typeof require')()",
    answer: /^undefinedundefined$/,
  },
  {
    title: 'the constructor of an async function',
    code: "return await Object.getPrototypeOf(async () => 1).constructor('return typeof process')()",
    answer: /^undefined$/,
  },
  {
    title: 'the constructor of a generator',
    code: "return Object.getPrototypeOf(function* () {}).constructor('yield typeof process')().next().value",
    answer: /^undefined$/,
  },
  { title: 'eval', code: "return eval('typeof process + typeof globalThis.process')", answer: /^undefinedundefined$/ },
  { title: 'indirect eval', code: "return (0, eval)('this.process === undefined')", answer: /^true$/ },
  {
    title: 'a walk through the global object',
    code: `const seen = new Set<any>(); const names: string[] = [];
      const walk = (value: any, depth: number): void => {
        if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || depth > 6) return;
        seen.add(value);
        for (const key of Reflect.ownKeys(value)) {
          names.push(String(key));
          try { walk(value[key], depth + 1); } catch {}
        }
        walk(Object.getPrototypeOf(value), depth + 1);
      };
      walk(globalThis, 0);
      return names.filter((name) => /process|require|native|binding|spawn|socket|readFile|dlopen|^settle$|^tell$/i.test(name));`,
    answer: /^\[\]$/,
  },
  {
    title: 'the stack through prepareStackTrace',
    code: `(Error as any).prepareStackTrace = (_: any, sites: any) => sites;
      const stack: any = new Error('x').stack;
      return typeof stack === 'string' ? stack.includes('/') : Object.keys(stack ?? {});`,
    answer: /^(?:false|\[.*\])$/,
  },
  {
    title: 'the stack of an error of a tool',
    code: 'return await tools.fail().catch((error) => /node_modules|\\/dist\\//.test(String(error.stack)))',
    answer: /^false$/,
  },
  // The compiler.
  { title: '@ts-ignore', code: '// @ts-ignore\nreturn process.env', answer: NO_COMPILE },
  { title: '@ts-expect-error', code: '// @ts-expect-error\nreturn process.env', answer: NO_COMPILE },
  { title: '@ts-nocheck', code: '// @ts-nocheck\nreturn process.env', answer: NO_COMPILE },
  { title: 'declare', code: 'declare const process: any; return typeof process', answer: /^undefined$|^Nothing/ },
  {
    title: 'a declaration of what is not there',
    code: "return 1; } declare const require: (name: string) => any; require('fs'); async function more(): Promise<any> {",
    answer: /require.* not defined|^Nothing/,
  },
  {
    title: 'a reference to a file',
    code: '/// <reference path="/etc/passwd" />\nreturn 1',
    answer: /^1$/,
  },
  {
    title: 'a reference to types of Node',
    code: '/// <reference types="node" />\nreturn process.pid',
    answer: NO_COMPILE,
  },
  {
    title: 'types of a module',
    code: "type Files = import('fs').Stats; const files: Files = 1; return files",
    answer: NO_COMPILE,
  },
  {
    title: 'types of a file by its path',
    code: "type Own = typeof import('/etc/passwd'); const own: Own = 1 as never; return own",
    answer: NO_COMPILE,
  },
  {
    title: 'types that never end',
    code: `type Grow<T extends any[]> = T['length'] extends 9000 ? T : Grow<[...T, ...T, 1]>;
      const value: Grow<[]> = 1 as never; return value`,
    answer: NO_COMPILE,
  },
  {
    title: 'types that multiply',
    code: `type D = 0|1|2|3|4|5|6|7|8|9; type N = \`\${D}\${D}\${D}\${D}\`;
      type All = N extends infer A ? (N extends infer B ? (A extends B ? [A, B] : never) : never) : never;
      const value: All = 1 as never; return value.length`,
    answer: NO_COMPILE,
  },
  {
    title: 'brackets within brackets',
    code: `return ${'['.repeat(20_000)}${']'.repeat(20_000)}.length`,
    answer: /^Nothing was run|failed|limits/,
  },
  // Time and memory.
  { title: 'an endless loop', code: 'for (;;);', answer: CPU },
  { title: 'an endless loop that catches everything', code: 'for (;;) { try { for (;;); } catch {} }', answer: CPU },
  { title: 'an endless chain of promises', code: 'for (;;) await null;', answer: CPU },
  {
    title: 'promises that make promises',
    code: 'const again = (): Promise<void> => Promise.resolve().then(again); await again();',
    answer: /limits\.(?:cpu|memory)|never happens/,
  },
  { title: 'a promise that nothing settles', code: 'await new Promise(() => {});', answer: /never happens/ },
  {
    title: 'a regular expression that never ends',
    code: "return /^(a+)+$/.test('a'.repeat(40) + '!')",
    answer: CPU,
  },
  {
    title: 'a search in a text that never looks at its time, after an answer that overtook what the thread said before',
    code: "await search('a'); return 'a'.repeat(3_000_000).lastIndexOf('a'.repeat(1_500_000) + 'b')",
    answer: CPU,
  },
  {
    title: 'an array without end',
    code: "const all: string[] = []; for (;;) all.push('x'.repeat(100_000));",
    answer: MEMORY,
  },
  { title: 'lists in lists', code: 'let all: unknown[] = []; for (;;) all = [all];', answer: MEMORY },
  { title: 'a text that doubles', code: "let text = 'x'; for (;;) text += text;", answer: MEMORY },
  { title: 'a text that repeats', code: "return 'x'.repeat(2 ** 29).length", answer: MEMORY },
  {
    title: 'a large buffer',
    code: 'return new Uint8Array(2 ** 31 - 1).length',
    answer: /limits\.memory|out of memory|invalid|RangeError/i,
  },
  {
    title: 'many large buffers',
    code: 'const all: any[] = []; for (;;) all.push(new ArrayBuffer(1 << 20));',
    answer: MEMORY,
  },
  { title: 'an array of all sizes', code: 'return new Array(2 ** 32 - 1).fill(0).length', answer: MEMORY },
  {
    title: 'a recursion without end',
    code: 'const deep = (): number => deep() + 1; return deep();',
    answer: /stack|limits/i,
  },
  {
    title: 'a recursion that catches its end',
    code: 'const deep = (): number => { try { return deep(); } catch { return deep(); } }; return deep();',
    answer: /limits\.cpu|stack/i,
  },
  // Results and the console.
  { title: 'a result without end', code: "return 'x'.repeat(500_000)", answer: /limits\.result/ },
  {
    title: 'a console without end',
    code: "for (let i = 0; i < 200_000; i++) console.log('x'); return 1",
    answer: /^1$|limits\.cpu/,
  },
  {
    title: 'a result that refers to itself',
    code: 'const all: any = {}; all.all = all; return all',
    answer: /circular/i,
  },
  {
    title: 'a result with a getter that never ends',
    code: 'return { get x() { for (;;); } }',
    answer: CPU,
  },
  {
    title: 'a result with toJSON',
    code: 'return { toJSON: () => ({ __proto__: null, x: 1 }) }',
    answer: /^\{"x":1\}$/,
  },
  {
    title: 'a result that is a proxy',
    code: "return new Proxy({}, { ownKeys() { throw new Error('caught'); } })",
    answer: /caught/,
  },
  {
    title: 'a result with a then that never ends',
    code: 'return { then() { for (;;); } } as any',
    answer: CPU,
  },
  {
    title: 'an error that cannot be read',
    code: "throw { get message() { throw new Error('x'); }, toString() { throw new Error('y'); }, toJSON() { throw new Error('z'); } }",
    answer: /cannot be shown|failed/,
  },
  // The server, through its tools.
  {
    title: '__proto__ in the arguments of a tool',
    code: `const given: any = JSON.parse('{"customer":"1","amount":1,"__proto__":{"polluted":true}}');
      return tools.sendInvoice(given)`,
    answer: /invoice|__proto__/,
  },
  {
    title: 'constructor.prototype in the arguments of a tool',
    code: "return tools.sendInvoice({ customer: '1', amount: 1, constructor: { prototype: { polluted: true } } } as any)",
    answer: /invoice|constructor/,
  },
  {
    title: 'the prototypes of the sandbox',
    code: `(Object.prototype as any).polluted = true; (Array.prototype as any).toJSON = () => 'no'; JSON.stringify = () => '"spoilt"';
      return tools.sendInvoice({ customer: '1', amount: 1 })`,
    answer: /invoice/,
  },
  {
    title: 'promises that are replaced',
    code: `Promise.prototype.then = (() => 1) as any; ${GLOBAL}.Promise = class {}; return 1`,
    answer: /^1$/,
  },
  { title: 'a tool that is hidden', code: 'return (tools as any).payroll()', answer: /not a function/ },
  {
    title: 'a tool that is added',
    code: '(tools as any).payroll = () => 1; return 1',
    answer: /read-only|not extensible|^1$/,
  },
  {
    title: 'the tool that runs scripts',
    code: "return (tools as any).run_code({ code: 'return 1' })",
    answer: /not a function/,
  },
  {
    title: 'calls without end',
    code: 'for (;;) await tools.get_forecast();',
    answer: /limits\.calls/,
  },
  {
    title: 'calls without end at the same time',
    code: 'await Promise.all(Array.from({ length: 5000 }, () => tools.get_forecast()));',
    answer: /limits\.(?:calls|cpu)/,
  },
  {
    title: 'large arguments without end',
    code: "for (;;) await tools.sendInvoice({ customer: 'x'.repeat(3_000_000), amount: 1 });",
    answer: /limits|failed/,
  },
  { title: 'arguments that are no JSON', code: 'return tools.sendInvoice((() => 1) as any)', answer: /no JSON/ },
  { title: 'arguments that are no object', code: 'return tools.sendInvoice([1] as any)', answer: /must be an object/ },
  {
    title: 'work after the end',
    code: 'void (async () => { for (;;) { await null; await tools.get_forecast(); } })(); return 1',
    answer: /^1$/,
  },
];
