import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SERVICES } from '@ponte/contracts';
import { holdFolder } from '@ponte/eventstore-sqlite';
import type { Variables } from '@ponte/kernel';
import { readRuntime, StopSignals } from '@ponte/nest';
import { freePorts } from '@ponte/testing';
import { readMovementsConfig } from '../../movements/src/movements.config';
import { greeting } from '../src/greeting';
import { startBalancer } from './balancer';
import { startSandboxChains } from './chains';
import { masterKeyOf } from './master-key';
import type { ClusterEngine } from './engines';
import { saveEngineAddresses, engineAddresses } from './engine-addresses';
import { startEngines } from './engines';
import { MAX_REPLICAS, readReplicas, replicasOf } from './replicas';
import { seedCluster } from './seed';
import { ProcessTable } from './process-table';
import type { Env } from './service-processes';
import { ServiceProcesses } from './service-processes';

const LOOPBACK = '127.0.0.1';
/**
 * One partition per possible replica. More would cost time, because kafkajs names every partition in each request and
 * checks each one in every response.
 */
const KAFKA_PARTITIONS = String(MAX_REPLICAS);
const BUILDS = resolve(__dirname, '../apps');

/** Runs the engines that are not given, the sandbox's chains and the services until SIGINT or SIGTERM. */
export async function start(given: Variables): Promise<void> {
  const { dataDirectory, port, environment } = readRuntime({
    PORT: given['PORT'],
    PONTE_DATA_DIR: given['PONTE_DATA_DIR'],
  });
  const count = readReplicas(given['PONTE_REPLICAS']);
  const movements = readMovementsConfig(given, environment);
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  const signals = new StopSignals();
  signals.started({ stop });
  try {
    mkdirSync(dataDirectory, { recursive: true });
    const folder = holdFolder(join(dataDirectory, 'cluster.db'));
    stops.push(() => folder.release());
    const masterKey = masterKeyOf(given, dataDirectory);
    const table = new ProcessTable(dataDirectory);
    const engines = await startEngines(given, dataDirectory, table);
    stops.push(...engines.map((engine) => engine.stop));
    stops.push(saveEngineAddresses(dataDirectory, engineAddresses(engines)));
    const described = engines.map(({ description }) => description).join('; ');
    if (count === 0)
      return void process.stdout.write(`The engines of the sandbox, ready: no service runs. ${described}\n`);
    const chains = await startSandboxChains(movements, dataDirectory);
    stops.push(chains.stop);
    const env = envOf(given, { ...chains.env, ...masterKey }, engines, dataDirectory);
    const gateways = await freePorts(count);
    const services = ServiceProcesses.start({
      builds: BUILDS,
      replicas: replicasOf(count, env, gateways),
      onStart: (name, pid) => table.runs(name, pid),
      onEnd: endedUnasked(env, table),
    });
    stops.push(() => services.stop());
    const balancer = await startBalancer(port, LOOPBACK, gateways);
    stops.push(() => balancer.close());
    const sandbox = await seedCluster(env, `http://${LOOPBACK}:${balancer.port}`);
    process.stdout.write(greeting(sandbox, dataDirectory, process.uptime()));
    process.stdout.write(`\n${SERVICES.length} services, ${count} of each. ${described}\n`);
  } catch (error) {
    if (signals.isStopRequested) return;
    await stop();
    throw error;
  }
}

/**
 * The environment of the services: the given variables without that of this program, and the addresses of the engines
 * and the chains.
 */
const envOf = (
  { PONTE_REPLICAS: _, ...given }: Variables,
  made: Env,
  engines: readonly ClusterEngine[],
  dataDirectory: string,
): Env => {
  const all = Object.entries({
    KAFKA_PARTITIONS,
    PONTE_ENVIRONMENT: 'sandbox',
    ...given,
    ...made,
    ...engineAddresses(engines),
    PONTE_DATA_DIR: dataDirectory,
  });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
};

/**
 * When a failpoint kills a service, the whole cluster is killed, as with the embedded cluster. Otherwise the service is
 * restarted.
 */
const endedUnasked =
  ({ PONTE_FAILPOINT: failpoint }: Env, table: ProcessTable) =>
  (name: string, signal: NodeJS.Signals | null): boolean => {
    table.ended(name);
    if (failpoint && signal === 'SIGKILL') process.kill(process.pid, 'SIGKILL');
    process.stderr.write(`${JSON.stringify({ replica: name, signal, msg: 'a service ended and is started again' })}\n`);
    return false;
  };
