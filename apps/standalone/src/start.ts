import type { Runtime } from '@ponte/nest';
import { observability, startManagement, StopSignals } from '@ponte/nest';
import { startCluster } from './cluster';
import { greeting } from './greeting';
import { readySandbox } from './ready-sandbox';

const LOOPBACK = '127.0.0.1';

/** Runs the cluster until SIGINT or SIGTERM. */
export async function start(runtime: Runtime): Promise<void> {
  const signals = new StopSignals();
  const observed = observability();
  const { port = null, host = LOOPBACK } = runtime.management ?? {};
  const management = port === null ? undefined : await startManagement({ port, host, ...observed });
  const cluster = await startCluster(runtime, { observability: observed });
  signals.started({ stop: () => cluster.stop().finally(() => management?.close()) });
  if (runtime.environment === 'production') {
    process.stdout.write(`Ponte is ready at ${cluster.baseUrl}\n`);
    return;
  }
  try {
    const sandbox = await readySandbox(cluster, runtime.dataDirectory);
    process.stdout.write(greeting(sandbox, runtime.dataDirectory, process.uptime()));
  } catch (error) {
    if (!signals.isAsked) throw error;
  }
}
