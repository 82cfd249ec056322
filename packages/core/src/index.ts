/** The framework: decorators, `createServer`, contexts, guards and errors. */
export { createServer } from './create-server';
export { Server } from './server/server';
export type { CapabilityName, RequestStateOptions, ServerOptions } from './server/server-options';

export {
  AnyOf,
  Describe,
  IntersectionType,
  Nullable,
  OmitType,
  PartialType,
  PickType,
  RecordOf,
  redact,
  Sensitive,
  Title,
  ValueTitles,
  type DataOf,
  type FormSource,
  type Infer,
  type InferJson,
  type InferReturned,
  type Intersected,
  type JsonSchema,
  type JsonSchemaOf,
  type MappedClass,
  type Ref,
  type SchemaSource,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  type StandardTarget,
  type ValueType,
} from '@sigil-mcp/schema';
export { Complete, McpHeader } from './decorators/argument-decorators';
export { createFact, UseGuards, UseInterceptors } from './decorators/create-fact';
export type { Fact, FactOptions, GuardReference, InterceptorReference } from './decorators/create-fact';
export { Example, type EntryExample, type ExampleDecorator } from './decorators/example';
export { Feature, Inject, Injectable, type InjectableOptions } from './decorators/injectable';
export { ListTemplate, Resource, type ResourceOptions } from './decorators/resource';
export { Prompt, type PromptOptions } from './decorators/prompt';
export { Public, Scopes, type ScopeList, type ScopesOptions } from './decorators/scopes';
export { Tool, type RenamedTool, type ReplacedTool, type ToolOptions } from './decorators/tool';

export { prompt } from './functions/entries';
export type { PromptFunctionOptions } from './functions/entries';
export { resource } from './functions/entries';
export type { ResourceFunctionOptions } from './functions/entries';
export { tool } from './functions/entries';
export type { ToolFunctionOptions } from './functions/entries';
export type { CompletionsOf, InputOf } from './functions/entries';

export type { CallScope, Container } from './container/container';
export type {
  ClassProvider,
  Constructor,
  FactoryProvider,
  NamedToken,
  OnStart,
  OnStop,
  Provider,
  Token,
  ValueProvider,
} from './container/provider';
export { SingletonContainer } from './container/singletons';

export type {
  AskOptions,
  ElicitAnswer,
  ElicitUrlAnswer,
  SampleAnswer,
  SampleMessage,
  SampleOptions,
} from './asking/ask-options';
export { isSuspension, Suspension, type QuestionOutcome } from './asking/question';

export type { Auth, TokenRequest } from './context/auth';
export { Caller, type CallerInit, type CallerKind } from './context/caller';
export { McpContext } from './context/mcp-context';
export type {
  AskedBy,
  ClientFacts,
  CompletionFacts,
  ContextLog,
  RequestFacts,
  RequestHeaders,
  RootsQuestion,
  SamplingQuestion,
  UrlQuestion,
} from './context/mcp-context';

export type { ErrorCode } from './errors/catalogue';
export {
  AskFailure,
  EndedCall,
  InvalidAnswer,
  InvalidOutput,
  SwallowedSuspension,
  ToolFailure,
} from './errors/failures';
export type { AskFailureReason } from './errors/failures';
export { Denial, type DenialOptions } from './errors/denial';

export type { CallOwner, DetachedCall, DetachOptions } from './calls/detached-call';
export { entryOption, type EntryOption, type EntryOptionInit, type OptionKind } from './extensions/entry-option';
export { extensionMethod, extensionNotification } from './extensions/extension';
export type {
  EntryListing,
  EntryStage,
  EntryView,
  ExtendedDefinition,
  FeatureData,
  Extension,
  ExtensionListener,
  ExtensionListenField,
  ExtensionMethod,
  ExtensionProtocol,
  ExtensionServices,
  FirstNotification,
  NotifyOptions,
  Sealer,
  RunStage,
  Stoppable,
} from './extensions/extension';
export type { InnerCallOptions } from './calls/call-services';
export type { BackgroundCall, BackgroundOutcome, BackgroundWay, ExtensionCall } from './extensions/extension-call';
export type { HeldAccount, HeldLimit, Holding, Keeper } from './limits/held-account';
export { recordCaller, type CallerRecord, type CallRecord } from './calls/call-record';
export type { CallMemory, RememberedAnswer, StoredValue } from './asking/call-memory';
export type { LiveQuestion, LiveWay } from './asking/live-questions';
export { besideSource, sourceFileOf } from './extensions/source-file';

export type { HandlerCall, HandlerRunner, HandlerToRun } from './pipeline/handler-runner';
export type { ParameterSource } from './members/member';

export { Authenticated, Roles } from './guards/roles';
export { RateLimit, type RateLimitOptions } from './guards/rate-limit';

export type { Rate } from './limits/token-buckets';
export type { ServerLimits } from './limits/server-limits';

export { JsonLinesLogger, type Severity } from './logging/lines-logger';
export { SilentLogger, type Logger } from './logging/logger';

export type { BlockOptions, Bytes, ResourceContentsList, ResourcePiece } from './output/content-blocks';
export { audio, contents, embedded, image, resourceLink, text } from './output/content-blocks';
export { assistantMessage, userMessage } from './output/shape-contents';
export { toolResult, type ToolResult, type ToolResultInit } from './output/results';

export type { Access, Call, Guard, Interceptor, Verdict } from './context/call';
export type {
  Network,
  Notes,
  ObservedNotification,
  ObservedQuestion,
  ObservedRefusal,
  ObservedRequest,
  ObservedServer,
  ObservedStream,
  ObservedStreamEnd,
  Observer,
  RequestObserver,
  RequestOutcome,
  StartedSession,
  StoreCommand,
  StreamEndReason,
  UnreadableMessage,
} from './context/observer';

export { defineModule, type Module } from './scanner/flatten-modules';
export type {
  ChangesOf,
  EntryData,
  FeatureSource,
  PromptChanges,
  ResourceChanges,
  ToolChanges,
} from './kinds/all-kinds';
export type { PromptData } from './kinds/prompt';
export type { ResourceData } from './kinds/resource';
export type { ToolData } from './kinds/tool';
export type { CompleteArgument, Completions } from './members/data-base';
export type { AnyFact, FactValue, FactValues } from './context/entry-facts';
export type { EntryFacts, EntryKind, EntryPolicy, EntryShapes, EntrySource, ValueShape } from './context/entry-facts';
export {
  PageRequest,
  type Listed,
  type ListedResource,
  type ListedResources,
  type ListResources,
} from './registry/listed-resource';
export { ServerRegistry } from './server/server-registry';
export type {
  DescribedAlias,
  DescribedAudience,
  EntryAccess,
  DescribedEntry,
  DescribedKey,
  LimitsOfEntry,
  EntryPlace,
  DescribedServer,
} from './description/server-description';

export type { ApiOf, ClientOf } from './server/client-of';
export type {
  ArgumentsOfInput,
  ArgumentsOfMethod,
  AskedByForms,
  AskedByMethod,
  DataOfOutput,
  DataOfReturn,
  NamedTypes,
} from './typed/entry-types';
export type { NoArguments, OnWire } from './typed/entry-types';
export type { TypedPrompt, TypedResource, TypedTool } from './typed/entry-types';

export { MemoryTransport, type MemoryPipe } from './transports/memory';
export type { Transport } from './transports/transport';

export { DefinitionError, SigilError, systemClock } from '@sigil-mcp/base';
export type { Class, Clock, DefinitionProblem, ErrorWords, MaybePromise, ReportProblem, Timer } from '@sigil-mcp/base';
export { ProtocolError, TypedResult } from '@sigil-mcp/protocol';
export type {
  Annotations,
  CacheHints,
  ContentBlock,
  FormField,
  FormSchema,
  Icon,
  Implementation,
  JsonObject,
  JsonValue,
  ListenField,
  LogLevel,
  Meta,
  MetaKey,
  Method,
  NotificationOperation,
  Operation,
  PromptMessage,
  ResultType,
  Root,
  SamplingContent,
  SamplingMessage,
} from '@sigil-mcp/protocol';
