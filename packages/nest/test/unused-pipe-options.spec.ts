/** What a `ValidationPipe` says and no tool follows is reported when the application starts. */
import { Injectable, Logger, UsePipes, ValidationPipe, type LoggerService, type PipeTransform } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Server, Tool } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { SigilModule } from '../src';

class Cat {
  @IsString() name!: string;
}

afterEach(() => Logger.overrideLogger(false));

/** What an application says at its start that has a global pipe, and another one around its tool. */
async function warnings(global: PipeTransform, own: PipeTransform = new ValidationPipe()): Promise<string[]> {
  @Injectable()
  @UsePipes(own)
  class Cats {
    @Tool('Adds') add(cat: Cat): string {
      return cat.name;
    }
  }
  const said: string[] = [];
  const none = (): void => undefined;
  const logger: LoggerService = { log: none, error: none, debug: none, warn: (text: string) => void said.push(text) };
  const module = await Test.createTestingModule({
    imports: [SigilModule.forRoot({ name: 'zoo', version: '1.0.0' })],
    providers: [Cats, { provide: APP_PIPE, useValue: global }],
  })
    .setLogger(logger)
    .compile();
  await module.init();
  await (await connect(module.get(Server))).close();
  await module.close();
  return said.filter((text) => text.startsWith('ValidationPipe'));
}

it('names the options of a global pipe', async () => {
  const pipe = new ValidationPipe({
    whitelist: true,
    groups: ['create'],
    skipMissingProperties: true,
    transform: true,
    transformOptions: { enableImplicitConversion: true },
  });
  expect(await warnings(pipe)).toEqual([
    'ValidationPipe has groups, skipMissingProperties, transformOptions.enableImplicitConversion. Arguments of tools, resources and prompts are validated without them.',
  ]);
});

it('names those of a pipe around a tool', async () => {
  expect(await warnings(new ValidationPipe(), new ValidationPipe({ skipNullProperties: true }))).toEqual([
    'ValidationPipe has skipNullProperties. Arguments of tools, resources and prompts are validated without it.',
  ]);
});

it('says nothing of pipes that ask for no more than is done anyway, or that validate once more', async () => {
  const usual = new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true });
  const again = new ValidationPipe({ validateCustomDecorators: true, skipMissingProperties: true });
  expect(await warnings(usual, again)).toEqual([]);
});
