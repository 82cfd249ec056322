/** A Sigil server inside a Nest application. */
export { SigilModule } from './sigil-module';
export type {
  FeatureSurroundings,
  NestHttpOptions,
  SigilModuleAsyncOptions,
  SigilModuleOptions,
  SigilOptionsFactory,
} from './module-options';
export { McpExecutionContext, type McpArguments, type McpContextType } from './execution-context';
export { EntryFunctions } from './hosted-handler';
export type { McpRequest } from './call-contexts';
