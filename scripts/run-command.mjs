/** Runs a child process for the scripts in this folder, on every platform. Uses only Node. */
import { spawn } from 'node:child_process';

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command until it ends; termination signals are passed on. Its output is printed, or returned with `capture`.
 * `onOutput` is called with each piece of captured output. Returns the exit code (128 and more after a signal) and the
 * captured output.
 */
export function runCommand(command, args, { capture = false, onOutput, cwd, shell = false, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, shell, env, stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    const output = [];
    const take = (chunk) => {
      output.push(chunk);
      onOutput?.(chunk.toString('utf8'));
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    const stopForwarding = forwardSignals(child);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      stopForwarding();
      resolve({ code: code ?? exitCodeOf(signal), output: Buffer.concat(output).toString('utf8') });
    });
  });
}

/** Runs a JavaScript file with this Node. */
export function runNode(file, args, options) {
  return runCommand(process.execPath, [file, ...args], options);
}

function forwardSignals(child) {
  const handlers = forwarded.map((signal) => {
    // A terminal sends Ctrl+C to the whole process group, so the child has received it already.
    const handler = () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal));
    process.on(signal, handler);
    return () => process.removeListener(signal, handler);
  });
  return () => handlers.forEach((remove) => remove());
}

function exitCodeOf(signal) {
  return { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal] ?? 1;
}
