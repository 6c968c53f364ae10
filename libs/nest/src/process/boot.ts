import type { DynamicModule, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication, FastifyAdapter } from '@nestjs/platform-fastify';
import type { RebuildableView } from '@ponte/read-models';
import { BusTransport } from '../bus-transport';
import type { Engines } from '../engines/engines';
import { EnginesModule } from '../engines/engines.module';
import { nestLogger } from '../logging';
import { serveOperators } from '../operator/duties';

@Module({})
class ProcessRoot {}

export interface ProcessOptions {
  readonly engines: Engines;
  /** The services of this process. */
  readonly modules: readonly (Type | DynamicModule)[];
  /** What operators may have rebuilt. */
  readonly views?: readonly RebuildableView[];
  readonly adapter: FastifyAdapter;
  /** Hooks, filters and documents of the HTTP edge. */
  readonly configure: (app: NestFastifyApplication) => void | Promise<void>;
  readonly port: number;
  readonly host: string;
  /** False for a tool that makes a few requests and stops: no repeated jobs, no work for operators. */
  readonly jobs?: boolean;
}

export interface RunningProcess {
  readonly app: NestFastifyApplication;
  /** The port that is listened on, also when 0 was asked for. */
  readonly port: number;
  /** Stops taking work, lets what runs finish, then closes the engines. */
  stop(): Promise<void>;
}

/**
 * Starts the services of one process: views and adapters first, then the handlers of messages, then HTTP, then the
 * repeated jobs, so that nothing is asked before someone can answer.
 */
export async function bootProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { engines } = options;
  const root: DynamicModule = { module: ProcessRoot, imports: [EnginesModule.forRoot(engines), ...options.modules] };
  const app = await NestFactory.create<NestFastifyApplication>(root, options.adapter, {
    logger: nestLogger(engines.logger),
    abortOnError: false,
    forceCloseConnections: true,
  }).catch(async (error: unknown) => {
    await engines.close();
    throw error;
  });
  try {
    await options.configure(app);
    await app.init();
    // Global guards, pipes, interceptors and filters apply to messages as well.
    app.connectMicroservice({ strategy: new BusTransport(engines.bus) }, { inheritAppConfig: true });
    await app.startAllMicroservices();
    await app.listen(options.port, options.host);
  } catch (error) {
    await app.close().catch(() => undefined);
    await engines.close();
    throw error;
  }
  if (options.jobs ?? true) {
    serveOperators(engines, options.views ?? []);
    engines.timers.start();
  }
  engines.readiness.serving(probesOf(engines));
  const address = app.getHttpServer().address();
  let stopping: Promise<void> | undefined;
  return {
    app,
    port: typeof address === 'object' && address ? address.port : options.port,
    stop: () => (stopping ??= stop(app, engines)),
  };
}

/** Services without an edge, for a tool that asks them over the bus and goes. Answers how to stop them. */
export async function bootHandlers(
  engines: Engines,
  modules: readonly (Type | DynamicModule)[],
): Promise<() => Promise<void>> {
  const root: DynamicModule = { module: ProcessRoot, imports: [EnginesModule.forRoot(engines), ...modules] };
  const app = await NestFactory.createMicroservice(root, {
    strategy: new BusTransport(engines.bus),
    logger: nestLogger(engines.logger),
    abortOnError: false,
  });
  await app.listen();
  engines.readiness.serving(probesOf(engines));
  return async () => {
    engines.readiness.draining();
    await app.close();
    await engines.close();
  };
}

/**
 * What every process needs: the log, and the place of its checkpoints. A bus that has started joins again by itself.
 */
const probesOf = ({ store, checkpoints, clockSkew, probes }: Engines) => ({
  'the event store': () => store.head(),
  // A statement that writes, though nothing is there to be changed: a database that only answers reads is no use.
  'the database': () => checkpoints.trouble?.('readiness', null, '') ?? checkpoints.load('readiness'),
  'a correct clock': async () => clockSkew?.assertSane(),
  ...probes,
});

async function stop(app: NestFastifyApplication, engines: Engines): Promise<void> {
  engines.readiness.draining();
  await engines.timers.stop();
  await app.close();
  await engines.close();
}
