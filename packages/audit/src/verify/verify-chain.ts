/** Verifies the chain in files, in one pass. */
import { readFile } from 'node:fs/promises';
import { OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/core/internal';
import { isProven, MARK_SUFFIX, readMark, type ChainMark } from '../chain/chain';
import { ROTATED } from '../sinks/file/record-file';
import { ChainReader, type FoundFault, readLines } from './chain-reader';

/** How files are verified. */
export interface VerifyOptions {
  /** The secret of the audit; several if it was changed. */
  readonly secrets: readonly string[];
  /** Whether the mark is needed; true if left out, unless the file next to which it is was rotated. */
  readonly mark?: boolean;
  /** The file next to which the mark is; the last one of the files if left out. */
  readonly head?: string;
  /** Whether the chain has to begin with its first record; false if left out, because the oldest files are removed by and by. */
  readonly whole?: boolean;
}

const OPTIONS: Readonly<Record<keyof VerifyOptions, OptionRule>> = {
  secrets: OPTION_RULES.texts,
  mark: OPTION_RULES.flag,
  head: OPTION_RULES.text,
  whole: OPTION_RULES.flag,
};

/** A fault, and where it is. */
export interface LineFault extends FoundFault {
  readonly file: string;
  /** 1 for the first line. */
  readonly line: number;
}

/** What was found. */
export interface VerifiedChain {
  readonly records: number;
  /** The place of the first record: more than 1 if earlier files were removed, or not given. */
  readonly first: number | undefined;
  /** The place of the last record. */
  readonly last: number | undefined;
  /** The first faults, at most a hundred. */
  readonly faults: readonly LineFault[];
  /** How many there are. */
  readonly faultCount: number;
  /** The last line, if it has no end: its program was ended by force, or the disk was full. */
  readonly torn: { readonly file: string; readonly line: number } | undefined;
}

/** More are counted only. */
const MOST_FAULTS = 100;

/**
 * Follows a chain through files, in their order, the oldest first. Nothing of them is held in memory but one record.
 * @throws DefinitionError for options that do not exist or are of the wrong kind; what the system says of a file that cannot be read
 */
export async function verifyChain(files: readonly string[], options: VerifyOptions): Promise<VerifiedChain> {
  requireOptions('verifyChain', options, OPTIONS);
  return new Verification(files, options).run();
}

class Verification {
  readonly #reader: ChainReader;
  readonly #faults: LineFault[] = [];
  #faultCount = 0;
  #torn: VerifiedChain['torn'];
  /** Whether the record that the mark names was found. */
  #isMarkFound = false;
  #end = { file: '', line: 0 };

  constructor(
    private readonly files: readonly string[],
    private readonly options: VerifyOptions,
  ) {
    this.#reader = new ChainReader(options.secrets);
  }

  async run(): Promise<VerifiedChain> {
    const last = this.options.head ?? this.files.at(-1) ?? '';
    this.#end = { file: last, line: 1 };
    const mark = await findMark(last);
    for (const file of this.files) await this.#readFile(file, mark);
    this.#checkMark(last, mark);
    this.#checkStart();
    const { records, first, last: newest } = this.#reader;
    const torn = this.#torn;
    return { records, first, last: newest?.sequence, faults: this.#faults, faultCount: this.#faultCount, torn };
  }

  async #readFile(file: string, mark: ChainMark | undefined): Promise<void> {
    this.#end = { file, line: 1 };
    for await (const line of readLines(file)) {
      this.#end = { file, line: line.number };
      const fault = this.#reader.read(line);
      if (!line.isWhole && fault?.fault === 'no-record') this.#tear();
      else if (fault) this.#report(fault);
      if (mark && this.#reader.last?.hash === mark.hash) this.#isMarkFound = true;
    }
  }

  /** A line without its end is what a crash leaves, but only at the end of all files. */
  #tear(): void {
    if (this.#end.file === this.files.at(-1)) this.#torn = this.#end;
    else this.#report({ fault: 'no-record' });
  }

  #checkMark(file: string, mark: ChainMark | undefined): void {
    const { mark: isNeeded = !ROTATED.test(file) } = this.options;
    if (!isNeeded) return;
    if (!mark || !this.#reader.keys.some((key) => isProven(mark, key))) this.#report({ fault: 'no-mark' });
    else if (!this.#isMarkFound) this.#report({ fault: 'cut' });
  }

  #checkStart(): void {
    const { first = 1 } = this.#reader;
    if (!this.options.whole || first === 1) return;
    this.#end = { file: this.files[0] ?? '', line: 1 };
    this.#report({ fault: 'no-start', missing: first - 1 });
  }

  #report(fault: FoundFault): void {
    this.#faultCount += 1;
    if (this.#faults.length < MOST_FAULTS) this.#faults.push({ ...fault, ...this.#end });
  }
}

async function findMark(file: string): Promise<ChainMark | undefined> {
  try {
    return readMark(await readFile(`${file}${MARK_SUFFIX}`, 'utf8'));
  } catch {
    return undefined;
  }
}
