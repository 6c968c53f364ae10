import 'reflect-metadata';
import type {
  ArgumentsHost,
  CallHandler,
  CanActivate,
  ExceptionFilter,
  ExecutionContext,
  NestInterceptor,
  PipeTransform,
} from '@nestjs/common';
import { Body, Catch, Controller, Module, Post } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { command } from '@ponte/event-sourcing';
import { refusal } from '@ponte/kernel';
import { temporaryFolder } from '@ponte/testing';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { request } from 'undici';
import type { RunningProcess } from './process/boot';
import { bootProcess } from './process/boot';
import { openEmbeddedEngines } from './engines/embedded-engines';

interface Payload {
  readonly text: string;
}
const Echo = command<Payload, unknown>('orders', 'echo', () => undefined);
const context = { correlationId: 'c', commandId: 'c', actor: 'test', accountId: 'a' };

/** The calls of the global enhancers, in order. */
const calls: string[] = [];

class GlobalGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    calls.push(`guard ${host.getType()}`);
    return true;
  }
}
class GlobalPipe implements PipeTransform {
  transform(value: unknown): unknown {
    return typeof value === 'object' && value !== null && 'text' in value
      ? { ...value, text: String(value.text).toUpperCase() }
      : value;
  }
}
class GlobalInterceptor implements NestInterceptor {
  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    calls.push(`interceptor ${host.getType()}`);
    return next.handle().pipe(map((answer: object) => ({ ...answer, intercepted: true })));
  }
}
class Translated extends Error {}
@Catch(RangeError)
class GlobalFilter implements ExceptionFilter {
  catch(error: RangeError, host: ArgumentsHost): never {
    calls.push(`filter ${host.getType()}`);
    throw new Translated(error.message);
  }
}

@Controller()
class Echoes {
  @MessagePattern(Echo.pattern)
  echo(@Payload() { text }: Payload, @Ctx() { correlationId }: typeof context): object {
    if (text === 'RANGE') throw new RangeError('out of range');
    if (text === 'REFUSED') throw refusal('quote-expired', 'The quote has expired.');
    return { text, correlationId };
  }

  @Post('echo')
  post(@Body() { text }: Payload): object {
    if (text === 'RANGE') throw new RangeError('out of range');
    return { text };
  }
}

@Module({
  controllers: [Echoes],
  providers: [
    { provide: APP_GUARD, useClass: GlobalGuard },
    { provide: APP_PIPE, useClass: GlobalPipe },
    { provide: APP_INTERCEPTOR, useClass: GlobalInterceptor },
    { provide: APP_FILTER, useClass: GlobalFilter },
  ],
})
class EchoModule {}

const folder = temporaryFolder();
const thrown: unknown[] = [];
let running: RunningProcess;
let engines: Awaited<ReturnType<typeof openEmbeddedEngines>>;
beforeAll(async () => {
  engines = await openEmbeddedEngines(
    {
      environment: 'sandbox',
      dataDirectory: folder.path,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    },
    'test',
  );
  running = await bootProcess({
    engines,
    modules: [EchoModule],
    adapter: new FastifyAdapter(),
    configure: (app) => {
      app
        .getHttpAdapter()
        .getInstance()
        .setErrorHandler((error, _request, reply) => {
          thrown.push(error);
          return reply.code(500).send({ error: 'failed' });
        });
    },
    port: 0,
    host: '127.0.0.1',
  });
});
beforeEach(() => {
  calls.length = 0;
  thrown.length = 0;
});
afterAll(async () => {
  await running.stop();
  folder.remove();
});

const ask = (text: string) => engines.bus.request(Echo, { text }, context);
const post = (text: string) =>
  request(`http://127.0.0.1:${running.port}/echo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });

describe('globally registered guards, pipes, interceptors and filters', () => {
  it('apply to messages of the bus', async () => {
    expect(await ask('hello')).toEqual({ text: 'HELLO', correlationId: 'c', intercepted: true });
    expect(calls).toEqual(['guard rpc', 'interceptor rpc']);
  });

  it('apply to HTTP requests', async () => {
    const answer = await post('hello');
    expect([answer.statusCode, await answer.body.json()]).toEqual([201, { text: 'HELLO', intercepted: true }]);
    expect(calls).toEqual(['guard http', 'interceptor http']);
  });

  it('convert the errors that they catch, on both, and leave refusals unchanged', async () => {
    // An error that is not a refusal is returned as unavailable.
    await expect(ask('range')).rejects.toMatchObject({ name: 'Unavailable' });
    expect((await post('range')).statusCode).toBe(500);
    expect(thrown).toEqual([new Translated('out of range')]);
    expect(calls.filter((step) => step.startsWith('filter'))).toEqual(['filter rpc', 'filter http']);
    await expect(ask('refused')).rejects.toMatchObject({ code: 'quote-expired' });
  });
});
