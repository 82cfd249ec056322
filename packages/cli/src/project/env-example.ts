/** The variables that a server reads from its environment, as `.env.example` lists them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkOwnFile } from '../write-files';

/** A variable in `.env.example`. */
export interface ExampleVariable {
  readonly name: string;
  /** The comment above it. */
  readonly description: string;
  /** The value of the example; empty if it has none. */
  readonly value: string;
  /** Whether its name says that its value is secret. */
  readonly isSecret: boolean;
  /** Whether it is commented out, so that the server starts without it. */
  readonly isOptional: boolean;
}

const SECRET =
  /(?:^|_)(?:keys?|tokens?|secrets?|password|passwd|passphrase|pwd|pass|pin|credentials?|private|dsn|jwt|auth|oauth|bearer|cookies?|sas|sk|salt|signing|signature|certs?|webhook|connection_?string|conn_?str)(?:_|$)|apikey|_pat$/i;
/** Names of addresses of databases, which have the password in them. */
const DATABASE =
  /(?:^|_)(?:database|db|postgres|postgresql|pg|mysql|mongo|mongodb|redis|amqp|rabbitmq|mssql)_?(?:url|uri)$/i;
const LINE = /^\s*(#\s?)?(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/;

/** Whether the value of a variable is secret, by its name. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name) || DATABASE.test(name);
}

/** Whether a value is secret, under any name: an address with a password. */
export function isSecretValue(value: string): boolean {
  return URL.canParse(value) && new URL(value).password !== '';
}

/** The variables of the project in a folder; none without the file. @throws CliFailure if it is a link out of the folder */
export function readEnvExample(folder: string): ExampleVariable[] {
  const file = join(folder, '.env.example');
  // Reading a pipe would wait for ever.
  if (!existsSync(file) || !statSync(file).isFile()) return [];
  // A link could lead to the variables of another program, which would be handed on.
  checkOwnFile(file, folder);
  return parseEnvExample(readFileSync(file, 'utf8'));
}

/** Parses a file like `.env`: one variable a line, with comments above it. */
export function parseEnvExample(text: string): ExampleVariable[] {
  const variables: ExampleVariable[] = [];
  let comment: string[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const [, hash, name, value = ''] = LINE.exec(line) ?? [];
    // A sentence such as "# Set X=1 to ..." is no variable: those that are commented out have no space in their name.
    if (name !== undefined && !(hash !== undefined && /\s\S+\s/.test(value.trim()) && !/^["']/.test(value.trim()))) {
      variables.push({
        name,
        description: comment.join(' '),
        value: unquoted(value),
        isSecret: isSecretName(name) || isSecretValue(unquoted(value)),
        isOptional: hash !== undefined,
      });
      comment = [];
    } else if (/^\s*#/.test(line)) comment.push(line.replace(/^\s*#\s?/, '').trim());
    else comment = [];
  }
  return [...new Map(variables.map((one) => [one.name, one])).values()];
}

function unquoted(value: string): string {
  const trimmed = value.trim();
  const [, , quoted] = /^(["'])(.*)\1/.exec(trimmed) ?? [];
  return quoted ?? trimmed.replace(/\s#.*/s, '').trimEnd();
}
