/** Two users at the places where the work of one waits for the end of the work of another: each runs with its own request and user. */
import { Inject, Injectable, Scope, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD, Reflector, REQUEST } from '@nestjs/core';
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { McpExecutionContext, type McpRequest } from '@sigil-mcp/nest';
import { tasks } from '@sigil-mcp/tasks';
import '@sigil-mcp/testing/matchers';
import { IsBoolean } from 'class-validator';
import { openApplication, PLATFORMS } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

class Sure {
  @IsBoolean() sure!: boolean;
}

interface User {
  readonly id: string;
  readonly roles: readonly string[];
}

class Identify implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: User }>();
    const id = request.headers['x-user'] ?? '';
    request.user = { id, roles: id === 'ada' ? ['admin'] : [] };
    return true;
  }
}

const Roles = (...roles: string[]): MethodDecorator => SetMetadata('roles', roles);

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.get<string[] | undefined>('roles', context.getHandler());
    const { user } = McpExecutionContext.requestOf<{ user?: User }>(context);
    return !roles || roles.some((role) => user?.roles.includes(role));
  }
}

@Injectable({ scope: Scope.REQUEST })
class Tenant {
  constructor(@Inject(REQUEST) private readonly request: McpRequest) {}

  get name(): string {
    const { user, headers } = this.request as { readonly user?: User; readonly headers: McpRequest['headers'] };
    return `${user?.id} ${String(headers['x-user'] ?? 'without a request')}`;
  }
}

let entered: (() => void) | undefined;
let leave: (() => void) | undefined;

@Feature()
class Reports {
  constructor(private readonly tenant: Tenant) {}

  @Tool('Takes a while', { task: 'optional' }) async slow(): Promise<string> {
    entered?.();
    await new Promise<void>((resolve) => (leave = resolve));
    return this.tenant.name;
  }
  @Tool('Says whose it is', { task: 'optional' }) whose(): string {
    return this.tenant.name;
  }
  @Tool('For admins', { task: 'optional' }) @Roles('admin') secret(): string {
    return 'SECRET of admins';
  }
  @Tool('Asks', { task: 'optional' }) async ask(context: McpContext): Promise<string> {
    const answer = await context.elicit(Sure, 'Sure?');
    return `${answer.action} ${this.tenant.name}`;
  }
  @Tool('One at a time', { concurrency: 1 }) async inLine(): Promise<string> {
    entered?.();
    await new Promise<void>((resolve) => (leave = resolve));
    return this.tenant.name;
  }
}

const metadata = { providers: [Reports, Tenant, { provide: APP_GUARD, useClass: RolesGuard }] };
const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} }, elicitation: { form: {} } };

describe.each(PLATFORMS)('on %s', (platform) => {
  const open = (): ReturnType<typeof openApplication> =>
    openApplication(platform, metadata, {
      endpointGuards: [Identify],
      extensions: [tasks({ concurrency: 1, waiting: 0 })],
    });

  eachRevision(
    'a task that waited for room has the user who made it',
    async ({ connect }) => {
      const { url } = await open();
      const ada = await connect(url, { headers: { 'x-user': 'ada' }, capabilities });
      const eve = await connect(url, { headers: { 'x-user': 'eve' }, capabilities });
      const inside = new Promise<void>((resolve) => (entered = resolve));
      const slow = await ada.startTask('slow');
      await inside;
      const whose = await eve.startTask('whose');
      leave?.();
      expect(await slow.result()).toHaveText('ada without a request');
      expect(await whose.result()).toHaveText('eve without a request');
    },
    { since: '2026-07-28' },
  );

  eachRevision(
    'a user without a right has none behind the task of one who has it',
    async ({ connect }) => {
      const { url } = await open();
      const ada = await connect(url, { headers: { 'x-user': 'ada' }, capabilities });
      const eve = await connect(url, { headers: { 'x-user': 'eve' }, capabilities });
      const inside = new Promise<void>((resolve) => (entered = resolve));
      const slow = await ada.startTask('slow');
      await inside;
      const outcome = await eve.callTool('secret').then(JSON.stringify, String);
      expect(outcome).toContain('Forbidden resource');
      expect((await eve.listTools()).tools.map(({ name }) => name)).not.toContain('secret');
      leave?.();
      await slow.result();
    },
    { since: '2026-07-28' },
  );

  eachRevision(
    'a task that goes on after an answer has its user, and no request',
    async ({ connect }) => {
      const { url } = await open();
      const ada = await connect(url, { headers: { 'x-user': 'ada' }, capabilities });
      const task = await ada.startTask('ask');
      const [question] = await task.questions();
      await task.answer(question, { action: 'accept', content: { sure: true } });
      expect(await task.result()).toHaveText('accept ada without a request');
    },
    { since: '2026-07-28' },
  );

  eachRevision('a call that waited in line has its own request', async ({ connect }) => {
    const { url } = await open();
    const ada = await connect(url, { headers: { 'x-user': 'ada' } });
    const eve = await connect(url, { headers: { 'x-user': 'eve' } });
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const first = ada.callTool('inLine');
    await inside;
    const next = new Promise<void>((resolve) => (entered = resolve));
    const second = eve.callTool('inLine');
    leave?.();
    expect(await first).toHaveText('ada ada');
    await next;
    leave?.();
    expect(await second).toHaveText('eve eve');
  });
});
