/** The questions of readers, which the site has to answer. */
import type { Question } from './ask-all';

/**
 * What readers ask, and the page that answers. The search of the site has to put it among its first three answers.
 * A question is written as somebody types it who does not know our words.
 */

export const QUESTIONS: readonly Question[] = [
  { asked: 'getting started', page: 'tutorial' },
  { asked: 'tutorial', page: 'tutorial' },
  { asked: 'my first server', page: 'tutorial' },
  { asked: 'guard', page: 'how-to/guards-and-interceptors' },
  { asked: 'how do I hide a tool from a caller', page: 'how-to/guards-and-interceptors' },
  { asked: 'optional and nullable properties', page: 'dtos' },
  { asked: 'how do I ask the user for confirmation', page: 'asking' },
  { asked: 'test my server with jest', page: 'testing' },
  { asked: 'mock a service in a test', page: 'testing' },
  { asked: 'use zod schemas', page: 'schemas' },
  { asked: 'server behind a proxy', page: 'deployment' },
  { asked: 'rate limit', page: 'limits' },
  { asked: 'Keycloak', page: 'authorization-servers' },
  { asked: 'serve inside an existing fastify app', page: 'http' },
  { asked: 'console.log breaks stdio', page: 'stdio' },
  { asked: 'inject a database into a feature', page: 'providers' },
  { asked: 'request scope', page: 'providers' },
  { asked: 'add a tool while the server runs', page: 'changes' },
  { asked: 'redis sessions several instances', page: 'deployment' },
  { asked: 'SIGIL_DEPENDENCY_CYCLE', page: 'errors' },
  { asked: 'how fast is a call', page: 'performance' },
  { asked: 'tools without classes', page: 'functions' },
  { asked: 'migrate from nestjs', page: 'from-nestjs' },
  { asked: 'how do I return an image', page: 'how-to/results' },
  { asked: 'why is my argument refused', page: 'how-to/errors' },
  { asked: 'report progress of a long call', page: 'how-to/progress' },
  { asked: 'autocomplete a prompt argument', page: 'how-to/prompts' },
  { asked: 'deploy to aws lambda', page: 'how-to/serverless' },
  { asked: 'migrate from fastmcp', page: 'how-to/from-fastmcp' },
  { asked: 'environment variables', page: 'reference/environment' },
  { asked: 'lifecycle hooks', page: 'providers' },
  { asked: 'convert a string to a number', page: 'dtos' },
  { asked: 'coerce arguments', page: 'dtos' },
  { asked: 'page size of lists', page: 'how-to/resources' },
  { asked: 'annotations of content audience priority', page: 'how-to/results' },
  { asked: 'claude desktop configuration', page: 'how-to/clients' },
];
