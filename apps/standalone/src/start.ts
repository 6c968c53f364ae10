import type { Variables } from '@ponte/kernel';
import { readProcess, StopSignals } from '@ponte/nest';
import { observability, startManagement } from '@ponte/observability';
import { SERVICE_SETTINGS } from './configuration';
import { greeting } from './greeting';
import type { GuidesBuild } from './guides-build';
import { buildGuides } from './guides-build';

const LOOPBACK = '127.0.0.1';

/**
 * Runs the cluster until SIGINT or SIGTERM. In a sandbox, `guidesScript` builds the guides for `/docs` in the
 * background. A sandbox is ready when `sandbox.json` is written.
 */
export async function start(env: Variables, guidesScript?: string): Promise<void> {
  const runtime = readProcess('standalone', env, Object.values(SERVICE_SETTINGS));
  const signals = new StopSignals();
  // Only now: loading the services takes longer than reading the settings, which may be wrong.
  const [{ startCluster }, { readySandbox }] = await Promise.all([import('./cluster'), import('./ready-sandbox')]);
  const observed = observability();
  const { port = null, host = LOOPBACK } = runtime.management ?? {};
  const management = port === null ? undefined : await startManagement({ port, host, ...observed });
  let isSeeded = runtime.environment === 'production';
  const cluster = await startCluster(runtime, {
    observability: observed,
    probes: {
      'sandbox.json': async () => {
        if (!isSeeded) throw new Error('sandbox.json is not written yet');
      },
    },
  });
  let guides: GuidesBuild | undefined;
  signals.started({
    stop: () => {
      guides?.stop();
      return cluster.stop().finally(() => management?.close());
    },
  });
  if (runtime.environment === 'production') {
    process.stdout.write(`Ponte is ready at ${cluster.baseUrl}\n`);
    return;
  }
  try {
    const sandbox = await readySandbox(cluster, runtime.dataDirectory);
    isSeeded = true;
    process.stdout.write(greeting(sandbox, runtime.dataDirectory, process.uptime()));
    if (guidesScript !== undefined && !signals.isStopRequested)
      guides = buildGuides(guidesScript, sandbox.docs, (line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    if (!signals.isStopRequested) throw error;
  }
}
