/** What `sigil audit verify` has found, for people. */
import type { ChainFault, LineFault, VerifiedChain } from '@sigil-mcp/audit/verify';
import type { Styles } from '../terminal/styles';
import type { ReadChain, ReadFolders } from './read-chains';

const WORDS: Readonly<Record<ChainFault, string>> = {
  'no-record': 'is not a record of a chain: it was changed or inserted, or the chain was switched off',
  changed: 'was changed, or written without the secret',
  missing: 'does not follow the line before: records are missing',
  moved: 'belongs further up, or is repeated',
  'new-chain': 'begins another chain: the file before belongs to another audit, or the order of the files is wrong',
  'other-secret': 'was sealed with a secret that was not given',
  'no-start': 'is not the first record of its chain',
  cut: 'is the last, but newer records were there: they were removed',
  'no-mark':
    'may not be the last: the file with .head next to it is missing, or was not written with this secret. Use --no-head for a copy without it',
};

/** What the command says. */
export interface AuditReport {
  readonly isSound: boolean;
  /** The lines for people. */
  readonly text: readonly string[];
  /** For programs. */
  readonly value: object;
}

/** The report of one chain. */
export function reportChain(chain: VerifiedChain, files: readonly string[], styles: Styles): AuditReport {
  const { faults, ...facts } = chain;
  const isSound = chain.faultCount === 0;
  const listed = faults.map(({ file, line, fault, missing }) => ({ file, line, fault, missing }));
  return {
    isSound,
    text: describeChain(chain, files, styles),
    value: { ok: isSound, ...facts, faults: listed },
  };
}

/** The report of all chains in folders. */
export function reportFolders({ chains, others }: ReadFolders, styles: Styles): AuditReport {
  const reports = chains.map((chain) => reportNamed(chain, styles));
  const sound = reports.filter(({ isSound }) => isSound).length;
  const isSound = sound === reports.length;
  const count = `${reports.length} ${reports.length === 1 ? 'chain' : 'chains'}`;
  const result = isSound ? `${styles.good('✓')} ${count}, all of them whole.` : `${count}, ${sound} of them whole.`;
  return {
    isSound,
    text: [
      ...reports.flatMap(({ text }) => text),
      ...others.map((file) => `${styles.warn('!')} ${file} has no audit records`),
      result,
    ],
    value: { ok: isSound, chains: reports.map(({ value }) => value), others },
  };
}

function reportNamed({ name, files, found }: ReadChain, styles: Styles): AuditReport {
  if ('unreadable' in found) {
    const text = [`${name}:`, `${styles.bad('✗')} ${found.unreadable}`];
    return { isSound: false, text, value: { file: name, ok: false, unreadable: found.unreadable } };
  }
  const { isSound, text, value } = reportChain(found, files, styles);
  const gone = `${styles.bad('✗')} is missing, with all earlier files: only the file with .head next to it is there`;
  return { isSound, text: [`${name}:`, ...(files.length === 0 ? [gone] : text)], value: { file: name, ...value } };
}

function describeChain(chain: VerifiedChain, files: readonly string[], styles: Styles): string[] {
  const { faults, faultCount, torn } = chain;
  const more = faultCount - faults.length;
  return [
    ...faults.map((fault) => `${styles.bad('✗')} ${describeFault(fault)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(torn
      ? [`${styles.warn('!')} ${torn.file}:${torn.line} is torn: the program was ended while it wrote this record`]
      : []),
    summary(chain, files.length, styles),
  ];
}

function describeFault({ file, line, fault, missing }: LineFault): string {
  const count = missing === undefined ? '' : ` (${missing} ${missing === 1 ? 'record' : 'records'})`;
  return `${file}:${line} ${WORDS[fault]}${count}`;
}

function summary({ records, first, last, faultCount }: VerifiedChain, files: number, styles: Styles): string {
  const from = `${records} ${records === 1 ? 'record' : 'records'} in ${files} ${files === 1 ? 'file' : 'files'}`;
  if (faultCount > 0) return `${from}, ${faultCount} ${faultCount === 1 ? 'fault' : 'faults'}.`;
  const place = first === undefined ? '' : `: ${first} to ${last ?? first} of the chain`;
  const earlier = first !== undefined && first > 1 ? ` Those before ${first} are in earlier files.` : '';
  return `${styles.good('✓')} ${from}, unchanged and complete${place}.${earlier}`;
}
