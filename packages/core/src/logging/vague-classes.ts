/** The one warning of a server about all entries and classes that say too little. */
import type { DefinitionProblem } from '@sigil-mcp/base';
import type { ClassWarnings } from '@sigil-mcp/schema';
import type { Logger } from './logger';

/** Collects problems of classes until the server starts, logs them then in one warning, and logs later ones at once. */
export class VagueClasses implements ClassWarnings {
  readonly #seen = new Map<string, DefinitionProblem>();
  #untold: DefinitionProblem[] = [];
  #isStarted = false;

  /**
   * @param logger receives the warning
   * @param strict true: such classes are refused, so there is nothing to log; 'warn': refusals are logged, too
   */
  constructor(
    private readonly logger: Logger,
    readonly strict: boolean | 'warn' = false,
  ) {}

  /** Adds a property that says too little; each is logged once, however often its class is used. */
  add(vague: DefinitionProblem): void {
    if (this.#seen.has(vague.problem)) return;
    this.#seen.set(vague.problem, vague);
    this.#untold.push(vague);
    if (this.#isStarted) this.warn();
  }

  /** Called when the server starts: writes the warning, if there are problems. */
  warn(): void {
    this.#isStarted = true;
    if (this.#untold.length === 0) return;
    const properties = this.#untold.map(({ code, where, problem, fix }) => `${where}: ${problem} ${fix} [${code}]`);
    this.#untold = [];
    this.logger.warn({ properties }, MESSAGE);
  }

  /** Logs a class that a bundle has stored otherwise. */
  tellStale({ code, where, problem, fix }: DefinitionProblem): void {
    this.logger.warn({ code, where }, `${problem} ${fix}`);
  }
}

const MESSAGE =
  'Some entries and classes say too little or too much, or what had to be guessed; createServer({ strict: true }) refuses them';
