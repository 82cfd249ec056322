/** The tools and resources of the tracker. */
import { Feature, McpContext, Resource, Tool, ToolFailure } from '@sigil-mcp/core';
import { RestClient } from '../rest/rest-client';
import { Issue, IssueNumber, Issues, IssueSearch, NewComment } from './issue';

/** Built once per server. */
@Feature()
export class IssueTools {
  constructor(private readonly tracker: RestClient) {}

  @Tool('Finds issues by text, the newest first.', { output: Issues, readOnly: true })
  async searchIssues({ text, state }: IssueSearch, { signal }: McpContext): Promise<Issues> {
    const query = new URLSearchParams({ q: text, state }).toString();
    const found = await this.tracker.get<Issue[]>(`issues?${query}`, signal);
    return { issues: found ?? [] };
  }

  @Tool('Returns an issue by its number, with its state and its text.', { output: Issue, readOnly: true })
  async getIssue({ number }: IssueNumber, { signal }: McpContext): Promise<Issue> {
    return this.#get(number, signal);
  }

  @Tool('Adds a comment to an issue.', { destructive: false })
  async comment({ number, text }: NewComment, context: McpContext): Promise<string> {
    const { title } = await this.#get(number, context.signal);
    // The key is the same for each attempt of this call, so the tracker takes the comment once.
    const writing = { body: { text }, idempotencyKey: context.onceId('comment') };
    await this.tracker.post(`issues/${number}/comments`, writing, context.signal);
    return `Commented "${title}".`;
  }

  @Resource('issues://{number}', {
    title: 'An issue',
    description: 'The state and the text of an issue',
    mimeType: 'application/json',
  })
  issue({ number }: IssueNumber, { signal }: McpContext): Promise<Issue | undefined> {
    return this.tracker.get<Issue>(`issues/${number}`, signal);
  }

  async #get(number: number, signal: AbortSignal): Promise<Issue> {
    const issue = await this.tracker.get<Issue>(`issues/${number}`, signal);
    if (!issue) throw new ToolFailure(`There is no issue ${number}. Look for its number with searchIssues.`);
    return issue;
  }
}
