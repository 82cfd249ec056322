/** Tools that can run as tasks. */
import { Denial, Describe, Feature, McpContext, Title, Tool, ToolFailure } from '@sigil-mcp/core';
import { startTask } from '@sigil-mcp/tasks';
import { IsBoolean, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { setTimeout as wait } from 'node:timers/promises';
import { NameForm } from './forms';

/** Who is greeted. */
export class Greeting {
  @Describe('Who is greeted, such as Ada')
  @IsString()
  @Length(1, 100)
  name!: string;
}

/** How long, and a label that comes back. */
export class Computation {
  @Describe('How long it computes')
  @IsInt()
  @Min(0)
  @Max(3600)
  seconds!: number;

  @Describe('A word that the result repeats')
  @IsOptional()
  @IsString()
  label?: string;
}

/** The file that is not really deleted. */
export class Deletion {
  @Describe('The name of the file, such as notes.txt')
  @IsString()
  @Length(1, 200)
  filename!: string;
}

/** Yes or no. */
export class Confirmation {
  @Title('Confirm')
  @IsBoolean()
  confirm!: boolean;
}

/** One tool for each way in which a task can go. */
@Feature()
export class TaskTools {
  @Tool('Says hello at once, without a task', { readOnly: true })
  greet({ name }: Greeting): string {
    return `Hello, ${name}!`;
  }

  @Tool('Computes for some seconds', { name: 'slow_compute', task: 'optional' })
  async slowCompute({ seconds, label = 'nothing' }: Computation, context: McpContext): Promise<string> {
    for (let done = 0; done < seconds; done += 1) {
      await context.progress(done, seconds, `${done} of ${seconds} seconds are over`);
      await wait(1000, undefined, { signal: context.signal });
    }
    return `Computed ${label} for ${seconds} s.`;
  }

  @Tool('Runs as a task whose result is always a failure', { name: 'failing_job', task: 'required' })
  failingJob(): never {
    throw new ToolFailure('This job always fails.');
  }

  @Tool('Ends with an error of the protocol', { name: 'protocol_error_job', task: 'required' })
  protocolErrorJob(): never {
    throw new Denial('This job is refused.', { error: 'internal-error' });
  }

  @Tool('Deletes a file if the user confirms', { name: 'confirm_delete', task: 'optional', asks: [Confirmation] })
  async confirmDelete({ filename }: Deletion, context: McpContext): Promise<string> {
    const answer = await context.elicit(Confirmation, `Delete ${filename}?`);
    const isDeleted = answer.action === 'accept' && answer.content.confirm;
    return isDeleted ? `Deleted ${filename}.` : `Kept ${filename}.`;
  }

  @Tool('Asks two questions at the same time', {
    name: 'multi_input',
    task: 'optional',
    asks: [NameForm, Confirmation],
  })
  async multiInput(context: McpContext): Promise<string> {
    const [name, confirmed] = await Promise.all([
      context.elicit(NameForm, 'What is your name?'),
      context.elicit(Confirmation, 'Go ahead?'),
    ]);
    return `${name.action === 'accept' ? name.content.name : 'Nobody'}: ${confirmed.action}`;
  }

  @Tool('Asks for a name first, and works as a task then', {
    name: 'test_tool_with_task',
    task: { support: 'optional', starts: 'in-handler' },
    asks: [NameForm],
  })
  async withTask(context: McpContext): Promise<string> {
    const answer = await context.elicit(NameForm, 'What is your name?', { key: 'user_name' });
    await startTask(context);
    return `Hello, ${answer.action === 'accept' ? answer.content.name : 'nobody'}, from a task.`;
  }
}
