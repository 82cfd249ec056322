/** What a model can do with the tracker. */
import { Feature, McpContext, Resource, Tool, ToolFailure } from '@sigil-mcp/core';
import { RestClient } from '../rest/rest-client';
import { Issue, IssueNumber, Issues, IssueSearch, NewComment } from './issue';

/** Built once per server. */
@Feature()
export class IssueTools {
  constructor(private readonly tracker: RestClient) {}

  @Tool('Finds issues by words, the newest first.', { output: Issues, readOnly: true })
  async searchIssues({ text, state }: IssueSearch, { signal }: McpContext): Promise<Issues> {
    const query = new URLSearchParams({ q: text, state }).toString();
    const found = await this.tracker.get<Issue[]>(`issues?${query}`, signal);
    return { issues: found ?? [] };
  }

  @Tool('Returns one issue.', { output: Issue, readOnly: true })
  async getIssue({ number }: IssueNumber, { signal }: McpContext): Promise<Issue> {
    return this.#get(number, signal);
  }

  @Tool('Adds a comment to an issue.', { destructive: false })
  async comment({ number, text }: NewComment, context: McpContext): Promise<string> {
    const { title } = await this.#get(number, context.signal);
    // The same each time that this call is tried: the tracker takes the comment once.
    const writing = { body: { text }, idempotencyKey: context.onceId('comment') };
    await this.tracker.post(`issues/${number}/comments`, writing, context.signal);
    return `Commented "${title}".`;
  }

  @Resource('issues://{number}', { title: 'An issue', description: 'What an issue says', mimeType: 'application/json' })
  issue({ number }: IssueNumber, { signal }: McpContext): Promise<Issue | undefined> {
    return this.tracker.get<Issue>(`issues/${number}`, signal);
  }

  async #get(number: number, signal: AbortSignal): Promise<Issue> {
    const issue = await this.tracker.get<Issue>(`issues/${number}`, signal);
    if (!issue) throw new ToolFailure(`There is no issue ${number}. Look for its number with searchIssues.`);
    return issue;
  }
}
