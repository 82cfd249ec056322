/** MCP over HTTP as a function of AWS Lambda. */
export { createLambdaHandler, createStreamingLambdaHandler } from './create-lambda-handler';
export type { LambdaHandler, LambdaHandlerOptions } from './create-lambda-handler';
export type { FunctionResult } from './function-event';
