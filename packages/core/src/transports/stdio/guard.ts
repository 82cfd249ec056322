/**
 * `import '@sigil-mcp/core/stdio/guard'` as the first line of a program that uses stdio: modules that are loaded later may then print
 * without breaking the protocol.
 */
import { guardStdout } from './guard-stdout';

guardStdout();
