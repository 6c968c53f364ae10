import type { Runtime } from '@ponte/nest';
import { StopSignals } from '@ponte/nest';
import { startCluster } from './cluster';
import { greeting } from './greeting';
import { readySandbox } from './ready-sandbox';

/** Runs the cluster until SIGINT or SIGTERM. */
export async function start(runtime: Runtime): Promise<void> {
  const signals = new StopSignals();
  const cluster = await startCluster(runtime);
  signals.started(cluster);
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
