/** The name of a server in the settings of an application. */
import { wrongUsage } from '../failure';

/** Claude Code and Codex accept no other characters. No name is special to a shell, a path or an object of JavaScript. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** @throws CliFailure for a name that some application refuses */
export function checkServerName(name: string): string {
  if (NAME.test(name)) return name;
  throw wrongUsage('SIGIL_INSTALL_NAME', { name: JSON.stringify(name), proposal: proposeServerName(name) });
}

/** A valid name that is made of any text, such as the name of a package. */
export function proposeServerName(text: string): string {
  const name = text
    .replace(/^@[^/]*\//, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|(?<!-)-+$/g, '')
    .slice(0, 64);
  return name === '' ? 'server' : name;
}
