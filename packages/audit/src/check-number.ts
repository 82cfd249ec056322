/** The one check of numbers in options. */
import { nameValue } from '@sigil-mcp/core/internal';
import { auditError } from './errors';

/**
 * @param option as users write it, such as `fileSink({ keep })`
 * @throws SigilError `SIGIL_AUDIT_NUMBER`
 */
export function checkNumber(option: string, value: number, least = 1): number {
  if (typeof value === 'number' && value >= least) return value;
  throw auditError('SIGIL_AUDIT_NUMBER', { option, value: nameValue(value), least });
}
