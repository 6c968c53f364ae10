import 'reflect-metadata';
import type { CanActivate } from '@nestjs/common';
import { Controller, Module, UseGuards } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { directHandlers } from './direct-handlers';

@Controller()
class Fine {
  private readonly name = 'fine';

  @MessagePattern('test.query.both')
  both(@Payload() payload: unknown, @Ctx() context: unknown) {
    return [this.name, payload, context];
  }

  @MessagePattern('test.query.one')
  async one(@Payload() payload: unknown) {
    return payload;
  }

  other() {
    return 'no pattern';
  }
}

@Controller()
class Crossed {
  @MessagePattern('test.query.crossed')
  crossed(@Ctx() context: unknown, @Payload() payload: unknown) {
    return [context, payload];
  }
}

@Controller()
class Part {
  @MessagePattern('test.query.part')
  part(@Payload('member') member: unknown) {
    return member;
  }
}

@Controller()
class Guarded {
  @UseGuards(
    class implements CanActivate {
      canActivate() {
        return false;
      }
    },
  )
  @MessagePattern('test.query.guarded')
  guarded() {
    return 'never';
  }
}

@Controller()
class Twice {
  @MessagePattern('test.query.twice')
  one() {
    return 1;
  }

  @MessagePattern('test.query.twice')
  two() {
    return 2;
  }
}

async function handlersOf(controller: new () => object): Promise<ReturnType<typeof directHandlers>> {
  @Module({ controllers: [controller] })
  class Root {}
  const app = await NestFactory.createApplicationContext(Root, { logger: false });
  try {
    return directHandlers(app.get(ModulesContainer));
  } finally {
    await app.close();
  }
}

test('the methods behind the patterns, bound to their controllers', async () => {
  const handlers = await handlersOf(Fine);
  expect([...handlers.keys()]).toEqual(['test.query.both', 'test.query.one']);
  expect(handlers.get('test.query.both')?.({ a: 1 }, { commandId: 'c' })).toEqual([
    'fine',
    { a: 1 },
    { commandId: 'c' },
  ]);
  await expect(handlers.get('test.query.one')?.('payload', undefined)).resolves.toBe('payload');
});

test.each([
  ['in another order', Crossed],
  ['a part of the payload', Part],
])('parameters %s are refused at the start', async (_, controller) => {
  await expect(handlersOf(controller)).rejects.toThrow('takes @Payload() and then @Ctx()');
});

test('a pattern has one handler', async () => {
  await expect(handlersOf(Twice)).rejects.toThrow('test.query.twice is handled twice');
});

test('a guard, which would not run, is refused at the start', async () => {
  await expect(handlersOf(Guarded)).rejects.toThrow('no guards, interceptors or pipes');
});
