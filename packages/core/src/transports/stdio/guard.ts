/**
 * `import '@sigil-mcp/core/stdio/guard'` as the first line of a program that speaks stdio: everything that is loaded after
 * it may print what it likes.
 */
import { guardStdout } from './guard-stdout';

guardStdout();
