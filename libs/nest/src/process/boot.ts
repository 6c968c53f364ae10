import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication, FastifyAdapter } from '@nestjs/platform-fastify';
import type { RebuildableReadModel } from '@ponte/read-models';
import { BusTransport } from '../messages';
import type { Engines } from '../engines/engines';
import { EnginesModule } from '../engines/engines.module';
import { nestLogger } from '../logging';
import { serveOperators } from '../operator/duties';

@Module({})
class ProcessRoot {}

interface ProcessOptions {
  readonly engines: Engines;
  /** The services of this process. */
  readonly modules: readonly (Type | DynamicModule)[];
  /** The read models that operators may rebuild. */
  readonly readModels?: readonly RebuildableReadModel[];
  readonly adapter: FastifyAdapter;
  /** Adds hooks, filters and documents to the HTTP server. */
  readonly configure: (app: NestFastifyApplication) => void | Promise<void>;
  readonly port: number;
  readonly host: string;
  /** False for a tool that makes a few requests and stops: it runs no jobs and no operators' actions. */
  readonly jobs?: boolean;
}

export interface RunningProcess {
  readonly app: NestFastifyApplication;
  /** The port in use, even if port 0 was requested. */
  readonly port: number;
  /** Stops accepting work, waits for running work to finish, then closes the engines. */
  stop(): Promise<void>;
}

/**
 * Starts the services of one process: first read models and adapters, then message handlers, then HTTP, then jobs. So
 * no request is made before it can be handled.
 */
export async function bootProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { engines } = options;
  const root: DynamicModule = { module: ProcessRoot, imports: [EnginesModule.forRoot(engines), ...options.modules] };
  const app = await NestFactory.create<NestFastifyApplication>(root, options.adapter, {
    logger: nestLogger(engines.logger),
    abortOnError: false,
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
    serveOperators(engines, options.readModels ?? []);
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

/** Starts services without an HTTP server; the caller starts the jobs. Returns a function that stops everything. */
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
  return () => stop(app, engines);
}

/**
 * What every process needs: the log, the database with its checkpoints, and a correct clock. The bus needs no probe,
 * because a started bus reconnects by itself.
 */
const probesOf = ({ store, checkpoints, clockSkew, probes }: Engines) => ({
  'the event store': () => store.head(),
  // A statement that writes, although it changes no row: a database that only answers reads is not enough.
  'the database': () => checkpoints.trouble?.('readiness', null, '') ?? checkpoints.load('readiness'),
  'a correct clock': async () => clockSkew?.assertSane(),
  ...probes,
});

async function stop(app: INestApplicationContext, engines: Engines): Promise<void> {
  engines.logger.info('the process is stopping');
  engines.readiness.draining();
  await engines.timers.stop();
  await app.close();
  engines.logger.info('the process has finished its work');
  await engines.close();
}
