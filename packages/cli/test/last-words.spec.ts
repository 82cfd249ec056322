/** What is shown of the stderr of a program that ended; the texts were written by Node 20. */
import { tellingLines } from '../src/causes/last-words';

const told = (text: string): string[] => tellingLines(text.split('\n'));

describe('the last words of a program', () => {
  it('are the message of a missing module and who wanted it, without the stack of requires', () => {
    expect(told(`noise before\n${MISSING}`)).toEqual([
      "Error: Cannot find module './no-such'",
      '    at Object.<anonymous> (/srv/harbour/missing.cjs:1:1)',
    ]);
  });

  it('are all problems of a definition, once', () => {
    const [head, ...rest] = told(DEFINITION);
    expect(head).toBe('DefinitionError: The server has 2 definition errors:');
    expect(rest).toEqual([
      expect.stringMatching(/^ {2}1\. A\.one: parameter 1 has no class at run time\./),
      expect.stringMatching(/^ {5}Import the class .* \[SIGIL_PARAMETER_WITHOUT_TYPE\]$/),
      expect.stringMatching(/^ {2}2\. A\.two: parameter 1 has no class at run time\./),
      expect.stringMatching(/^ {5}Import the class .* \[SIGIL_PARAMETER_WITHOUT_TYPE\]$/),
      '    at Object.<anonymous> (/srv/harbour/definition.cjs:10:1)',
    ]);
  });

  it('are the message of what was thrown, and where, without its fields', () => {
    expect(told(THROWN)).toEqual(['E [Error]: The tide table is empty', '    at f (/srv/harbour/throw.cjs:2:21)']);
  });

  it('are the message and the place of what cannot be parsed', () => {
    expect(told(SYNTAX)).toEqual(["SyntaxError: Unexpected token ';'", '    at /srv/harbour/syn.cjs:1']);
  });

  it('name the cause of an error', () => {
    expect(told(CAUSE)).toEqual([
      'Error: outer',
      '    at Object.<anonymous> (/srv/harbour/cause.cjs:1:7)',
      '  [cause]: Error: inner',
    ]);
  });

  it('are what it said itself before it ended itself', () => {
    expect(told('There is no database.\n')).toEqual(['There is no database.']);
    expect(told(`Starting\nError: No database\n    at open (/srv/a.js:1:2)\n    at go (/srv/a.js:2:2)\nBye\n`)).toEqual(
      ['Starting', 'Error: No database', '    at open (/srv/a.js:1:2)', 'Bye'],
    );
  });

  it('are its last lines where it said much', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    expect(tellingLines(lines)).toEqual(lines.slice(75));
  });
});

const MISSING = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module './no-such'
Require stack:
- /srv/harbour/missing.cjs
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27)
    at Module.require (node:internal/modules/cjs/loader:1289:19)
    at require (node:internal/modules/helpers:182:18)
    at Object.<anonymous> (/srv/harbour/missing.cjs:1:1)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at Module._extensions..js (node:internal/modules/cjs/loader:1623:10)
    at Module.load (node:internal/modules/cjs/loader:1266:32)
    at Module._load (node:internal/modules/cjs/loader:1091:12)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/srv/harbour/missing.cjs' ]
}

Node.js v20.20.2
`;

const DEFINITION = `/srv/harbour/node_modules/@sigil-mcp/core/dist/create-server.js:45
        throw new definition_error_1.DefinitionError(problems);
        ^

DefinitionError: The server has 2 definition errors:
  1. A.one: parameter 1 has no class at run time. Its type is an interface, was imported with \`import type\`, is declared further down in the file, or comes from a file that imports this one (a circular import).
     Import the class with a plain \`import\`, declare it above, or name it: { input: TheClass }. sigil doctor finds circular imports. [SIGIL_PARAMETER_WITHOUT_TYPE]
  2. A.two: parameter 1 has no class at run time. Its type is an interface, was imported with \`import type\`, is declared further down in the file, or comes from a file that imports this one (a circular import).
     Import the class with a plain \`import\`, declare it above, or name it: { input: TheClass }. sigil doctor finds circular imports. [SIGIL_PARAMETER_WITHOUT_TYPE]
    at defineServer (/srv/harbour/node_modules/@sigil-mcp/core/dist/create-server.js:45:15)
    at createServer (/srv/harbour/node_modules/@sigil-mcp/core/dist/create-server.js:31:12)
    at Object.<anonymous> (/srv/harbour/definition.cjs:10:1)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at Module._extensions..js (node:internal/modules/cjs/loader:1623:10)
    at Module.load (node:internal/modules/cjs/loader:1266:32)
    at Module._load (node:internal/modules/cjs/loader:1091:12)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)
    at node:internal/main/run_main_module:28:49 {
  problems: [
    {
      code: 'SIGIL_PARAMETER_WITHOUT_TYPE',
      problem: 'parameter 1 has no class at run time. Its type is an interface, was imported with \`import type\`, is declared further down in the file, or comes from a file that imports this one (a circular import).',
      fix: 'Import the class with a plain \`import\`, declare it above, or name it: { input: TheClass }. sigil doctor finds circular imports.',
      where: 'A.one'
    },
    {
      code: 'SIGIL_PARAMETER_WITHOUT_TYPE',
      problem: 'parameter 1 has no class at run time. Its type is an interface, was imported with \`import type\`, is declared further down in the file, or comes from a file that imports this one (a circular import).',
      fix: 'Import the class with a plain \`import\`, declare it above, or name it: { input: TheClass }. sigil doctor finds circular imports.',
      where: 'A.two'
    }
  ],
  code: 'SIGIL_DEFINITION'
}

Node.js v20.20.2
`;

const THROWN = `/srv/harbour/throw.cjs:2
function f(){ throw new E('The tide table is empty'); }
              ^

E [Error]: The tide table is empty
    at f (/srv/harbour/throw.cjs:2:21)
    at Object.<anonymous> (/srv/harbour/throw.cjs:3:1)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at Module._extensions..js (node:internal/modules/cjs/loader:1623:10)
    at Module.load (node:internal/modules/cjs/loader:1266:32)
    at Module._load (node:internal/modules/cjs/loader:1091:12)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)
    at node:internal/main/run_main_module:28:49 {
  code: 'X',
  inner: { a: 1, b: [ 1, 2 ] }
}

Node.js v20.20.2
`;

const SYNTAX = `/srv/harbour/syn.cjs:1
const x = ;
          ^

SyntaxError: Unexpected token ';'
    at wrapSafe (node:internal/modules/cjs/loader:1464:18)
    at Module._compile (node:internal/modules/cjs/loader:1495:20)
    at Module._extensions..js (node:internal/modules/cjs/loader:1623:10)
    at Module.load (node:internal/modules/cjs/loader:1266:32)
    at Module._load (node:internal/modules/cjs/loader:1091:12)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2
`;

const CAUSE = `/srv/harbour/cause.cjs:1
throw new Error("outer",{cause:new Error("inner")})
^

Error: outer
    at Object.<anonymous> (/srv/harbour/cause.cjs:1:7)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    ... 4 lines matching cause stack trace ...
    at node:internal/main/run_main_module:28:49 {
  [cause]: Error: inner
      at Object.<anonymous> (/srv/harbour/cause.cjs:1:32)
      at Module._compile (node:internal/modules/cjs/loader:1521:14)
      at Module._extensions..js (node:internal/modules/cjs/loader:1623:10)
      at Module.load (node:internal/modules/cjs/loader:1266:32)
      at Module._load (node:internal/modules/cjs/loader:1091:12)
      at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)
      at node:internal/main/run_main_module:28:49
}

Node.js v20.20.2
`;
