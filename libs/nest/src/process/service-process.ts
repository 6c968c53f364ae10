import type { DynamicModule, Type } from '@nestjs/common';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RebuildableReadModel } from '@ponte/read-models';
import { Command } from 'commander';
import { bootHandlers, bootProcess } from './boot';
import type { Engines } from '../engines/engines';
import { loadClusterEngines } from '../engines/load-cluster-engines';
import { serveOperators } from '../operator/duties';
import { operatorVerbs, runOperator } from '@ponte/operator';
import type { TimeReader } from '@ponte/operator';
import { MANAGEMENT_PORT, startManagement, observability } from '@ponte/observability';
import type { ServiceSettings } from './process-settings';
import { readProcess } from './process-settings';
import type { Runtime } from './runtime';
import { readRuntime } from './runtime';
import { StopSignals } from './stop-signals';

/** One service that runs in its own process. */
interface ServiceProcess {
  readonly service: string;
  readonly module: (runtime: Runtime) => Type | DynamicModule;
  /** Absent if the service has no settings of its own. */
  readonly settings?: ServiceSettings;
  /** The service's read models, which it can rebuild. */
  readonly readModels?: readonly RebuildableReadModel[];
  /** Readers, besides its relay, that operators may rewind. */
  readonly relays?: readonly string[];
  /** Readers of external sources, which store a time instead of a position. */
  readonly timeReaders?: readonly TimeReader[];
  /** The service's own HTTP server; absent in services that only receive messages. */
  readonly edge?: { readonly adapter: () => FastifyAdapter; readonly configure: (app: NestFastifyApplication) => void };
}

/** All addresses: the network and the published ports of the container decide who has access. */
const ANY_HOST = '0.0.0.0';

/**
 * The whole of an app's `main.ts`: `main.js` serves until SIGTERM; `main.js migrate` updates the tables in PostgreSQL
 * and ends; the operators' verbs (such as `main.js parked list`) run and end. An error at the start ends the process
 * with a message that says what to do, without a stack.
 */
export function runService(service: ServiceProcess): void {
  const program = new Command(service.service)
    .description(`The ${service.service} service of Ponte, on EventStoreDB, Kafka and PostgreSQL`)
    .exitOverride();
  program
    .command('serve')
    .description('run until SIGTERM')
    .action(() =>
      serve(service, readProcess(service.service, process.env, service.settings ? [service.settings] : [])),
    );
  program
    .command('migrate')
    .description('create or update the tables in PostgreSQL')
    .action(async () => {
      const { migrateClusterEngines } = await loadClusterEngines();
      await migrateClusterEngines(readRuntime(process.env), service.service);
    });
  const open = async () => {
    const { openClusterTools } = await import('../operator/cluster-tools');
    return openClusterTools(
      readRuntime(process.env),
      service.service,
      service.readModels ?? [],
      service.relays ?? [],
      service.timeReaders ?? [],
    );
  };
  void runOperator((opening, print) => {
    for (const verb of operatorVerbs(opening, print)) program.addCommand(verb);
    // Without a command it serves; a word that is not a command is refused as such.
    return program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve']);
  }, open).then((code) => {
    // A serving process runs until it gets a signal to stop.
    if (code !== 0) process.exit(code);
  });
}

async function serve(service: ServiceProcess, runtime: Runtime): Promise<void> {
  // If the parent process, connected by an IPC channel, ends in any way, this process ends too.
  if (process.channel) process.once('disconnect', () => process.exit(1));
  const signals = new StopSignals();
  const observed = observability();
  // Started first, so that a process that waits for its engines already reports that it is alive.
  const management = await startManagement({
    port: runtime.management?.port ?? MANAGEMENT_PORT,
    host: runtime.management?.host ?? '127.0.0.1',
    ...observed,
  });
  const { openClusterEngines } = await loadClusterEngines();
  const engines = await openClusterEngines(runtime, service.service, { observability: observed });
  const stop = await boot(service, engines);
  signals.started({ stop: () => stop().finally(() => management.close()) });
  engines.logger.info({ instance: runtime.remote?.instance }, `${service.service} is ready`);
}

async function boot({ module, edge, readModels = [] }: ServiceProcess, engines: Engines): Promise<() => Promise<void>> {
  const modules = [module(engines.runtime)];
  if (!edge) {
    const stop = await bootHandlers(engines, modules);
    serveOperators(engines, readModels);
    engines.timers.start();
    return stop;
  }
  const { stop } = await bootProcess({
    engines,
    modules,
    readModels,
    adapter: edge.adapter(),
    configure: edge.configure,
    port: engines.runtime.port,
    host: ANY_HOST,
  });
  return stop;
}
