/** The server's definition: an issue tracker with a REST API, for models. */
import { createServer, type Server } from '@sigil-mcp/core';
import { IssueTools } from './issues/issue-tools';
import { KeptAnswers } from './rest/kept-answers';
import { RestClient } from './rest/rest-client';
import { RestSettings } from './rest/rest-settings';
import { SampleTracker } from './sample-tracker';

/** A server for one tracker. */
export function issuesServer(settings: RestSettings): Server {
  return createServer({
    name: 'issues',
    version: '0.1.0',
    title: 'An issue tracker',
    strict: true,
    instructions: 'Issues have numbers: find them with searchIssues before you read or comment one.',
    toolTimeout: 60_000,
    features: [IssueTools],
    providers: [RestClient, KeptAnswers, { provide: RestSettings, useValue: settings }],
  });
}

/** A server for the sample tracker, which needs no network. */
export function sampleServer(): Server {
  return issuesServer(new RestSettings('http://tracker.example/', undefined, {}, new SampleTracker().fetch));
}

const { TRACKER_URL, TRACKER_TOKEN } = process.env;

/** The instance that `sigil inspect` and `sigil dev` read. */
export const server = TRACKER_URL ? issuesServer(new RestSettings(TRACKER_URL, TRACKER_TOKEN)) : sampleServer();
