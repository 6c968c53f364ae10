import 'reflect-metadata';
import type {
  ArgumentsHost,
  CallHandler,
  CanActivate,
  ExceptionFilter,
  ExecutionContext,
  NestInterceptor,
} from '@nestjs/common';
import { Catch, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import { request } from 'undici';
import { ApiError } from './errors/api-error';
import { CHILD } from './testing/accounts';
import { KEY } from './testing/api-keys';
import type { GatewayUnderTest } from './testing/gateway-under-test';
import { startGateway } from './testing/gateway-under-test';

const step = (host: ArgumentsHost): unknown => host.switchToHttp().getRequest<FastifyRequest>().headers['x-step'];

class Guard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    if (step(host) === 'refuse') throw new ApiError('account-not-active');
    return step(host) !== 'deny';
  }
}
class Interceptor implements NestInterceptor {
  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    return step(host) === 'intercept' ? next.handle().pipe(map(() => ({ intercepted: true }))) : next.handle();
  }
}
@Catch(ApiError)
class Filter implements ExceptionFilter {
  catch(error: ApiError, host: ArgumentsHost): void {
    void host
      .switchToHttp()
      .getResponse<FastifyReply>()
      .code(418)
      .send({ filtered: error.message.length > 0 });
  }
}
@Module({
  providers: [
    { provide: APP_GUARD, useClass: Guard },
    { provide: APP_INTERCEPTOR, useClass: Interceptor },
    { provide: APP_FILTER, useClass: Filter },
  ],
})
class Globals {}

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway('sandbox', undefined, [Globals]);
});
afterAll(() => gateway.stop());

async function answerTo(headers: Record<string, string>): Promise<[number, unknown]> {
  const { statusCode, body } = await request(`http://127.0.0.1:${gateway.port}/api/v1/accounts/${CHILD}/orders`, {
    headers: { authorization: `Bearer ${KEY.partner}`, ...headers },
  });
  return [statusCode, await body.json()];
}

describe('global guards, interceptors and filters on the API routes', () => {
  it('can deny a request in a guard', async () => {
    expect((await answerTo({}))[0]).toBe(200);
    expect((await answerTo({ 'x-step': 'deny' }))[0]).toBe(403);
  });

  it('can change a response in an interceptor', async () => {
    expect(await answerTo({ 'x-step': 'intercept' })).toEqual([200, { intercepted: true }]);
  });

  it('can respond to an error in a filter', async () => {
    expect(await answerTo({ 'x-step': 'refuse' })).toEqual([418, { filtered: true }]);
  });
});
