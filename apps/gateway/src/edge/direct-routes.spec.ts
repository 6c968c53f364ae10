import 'reflect-metadata';
import type { INestApplication } from '@nestjs/common';
import { Get, Header, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { Operation } from '../openapi/operation';
import { callDirectly } from './direct-routes';

const spec = (id: string) => ({ id, summary: id, reach: 'public' as const });

class Things {
  private readonly name = 'thing';

  @Operation({ ...spec('plain'), status: 201 })
  @Get('plain')
  async plain(@Req() request: FastifyRequest): Promise<object> {
    return { [this.name]: request.id };
  }

  @Operation(spec('choosing'))
  @Get('choosing')
  choosing(@Req() _request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): object {
    reply.code(202);
    return {};
  }

  @Operation(spec('failing'))
  @Get('failing')
  async failing(): Promise<object> {
    throw new Error('later');
  }

  @Operation(spec('own-reply'))
  @Get('own-reply')
  async ownReply(@Req() _request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await reply.send();
  }

  @Operation({ ...spec('bytes'), bytes: ['image/png'] })
  @Get('bytes')
  async bytes(): Promise<object> {
    return {};
  }

  @Operation(spec('guarded'))
  @UseGuards({ canActivate: () => false })
  @Get('guarded')
  async guarded(): Promise<object> {
    return {};
  }

  @Operation(spec('headed'))
  @Header('x-a', 'b')
  @Get('headed')
  async headed(): Promise<object> {
    return {};
  }

  @Operation(spec('picking'))
  @Get('picking')
  async picking(@Param('id') id: string): Promise<object> {
    return { id };
  }
}

const FASTIFY_ROUTE_CONFIG = '__fastify_route_config__';
const throughNest = (): void => undefined;

describe('routes whose methods are called as they are (ADR 8)', () => {
  const failures: unknown[] = [];
  let onRoute: (route: RouteOptions) => void = () => undefined;
  callDirectly(
    { get: () => new Things() } as unknown as INestApplication,
    {
      addHook: (_name: string, hook: typeof onRoute) => {
        onRoute = hook;
      },
    } as unknown as FastifyInstance,
    (error) => failures.push(error),
  );

  const routeOf = (name: keyof Things): RouteOptions => {
    const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG, Things.prototype[name]) as RouteOptions['config'];
    const route = { method: 'GET', url: `/${name}`, config, handler: throughNest } as unknown as RouteOptions;
    onRoute(route);
    return route;
  };
  const call = async (name: keyof Things) => {
    const answer = { status: 0, body: undefined as unknown };
    const reply = {
      code(status: number) {
        answer.status = status;
        return reply;
      },
      send(body: unknown) {
        answer.body = body;
        return reply;
      },
    };
    (routeOf(name).handler as unknown as (request: object, reply: object) => void)({ id: 'r1' }, reply);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    return answer;
  };

  it('answers with the status of the route, or with the one that the method has set', async () => {
    expect(await call('plain')).toEqual({ status: 201, body: { thing: 'r1' } });
    expect(await call('choosing')).toEqual({ status: 202, body: {} });
  });

  it('hands on what the method throws', async () => {
    expect((await call('failing')).body).toBeUndefined();
    expect(failures).toEqual([new Error('later')]);
  });

  it.each(['ownReply', 'bytes', 'guarded', 'headed', 'picking'] as const)(
    'leaves to Nest what only Nest can do: %s',
    (name) => {
      expect(routeOf(name).handler).toBe(throughNest);
    },
  );
});
