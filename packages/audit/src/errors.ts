/** The errors of this package for authors and operators of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_AUDIT_SECRET: {
    problem: 'audit({ secret }) is {value}.',
    fix: `Pass a secret of at least {least} characters from the environment, and keep it: node -p "require('crypto').randomBytes(32).toString('base64url')"`,
  },
  SIGIL_AUDIT_SINK: {
    problem: 'audit({ sink }) is {value}.',
    fix: 'Pass fileSink({ path }), stdoutSink(), stderrSink(), a function that takes records, or an object with a method `write`.',
  },
  SIGIL_AUDIT_NUMBER: {
    problem: '{option} is {value}.',
    fix: 'Use a number from {least} on, or leave it out for the default.',
  },
  SIGIL_AUDIT_FILE: {
    problem: 'The audit file {path} cannot be opened: {reason}.',
    fix: 'Check that its folder exists and that this process may write there.',
  },
  SIGIL_AUDIT_FOREIGN: {
    problem: 'The file {path} holds something else than audit records.',
    fix: 'Use a path of its own for audit records; nothing of the file was changed.',
  },
  SIGIL_AUDIT_LOCKED: {
    problem: 'The audit file {path} is in use by {holder}.',
    fix: 'Give each process a file of its own, because records of two processes cannot be in one chain: fileSink({ path: "audit-{slot}.log" }) takes audit-1.log, or the next one that is free. If no process uses it, remove {path}.lock.',
  },
  SIGIL_AUDIT_STDOUT: {
    problem: 'Audit records cannot be written to stdout, because a server over stdio sends its messages there.',
    fix: 'Use stderrSink() or fileSink({ path }).',
  },
  SIGIL_AUDIT_TIMEOUT: {
    problem: 'The audit sink has not taken records within {timeout} ms.',
    fix: 'Look for what keeps it from answering, or raise audit({ timeout }).',
  },
  SIGIL_AUDIT_UNDELIVERED: {
    problem: '{count} audit records were not taken by their sink before the server closed.',
    fix: 'Look for earlier errors of the sink in the log, or raise audit({ closeTimeout }).',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: auditError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Audit',
    about:
      'Thrown by `audit` and its sinks. Those of a file keep the server from starting; while it runs, errors of a sink are logged, and its records wait.',
    errors: ERRORS.entries,
  },
];
