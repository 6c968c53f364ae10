import { pause } from '@ponte/concurrency';
import { loadClusterEngines, readRuntime } from '@ponte/nest';
import { readySandbox } from '../src/ready-sandbox';
import type { SandboxFile } from '../src/sandbox-file';
import type { Env } from './service-processes';

/**
 * The gateway is ready only when another service answers it, and on a busy machine seven processes take a while to
 * start.
 */
const PATIENCE_MS = 120_000;
const POLL_INTERVAL_MS = 100;

/**
 * Waits for the services and creates the sandbox's partner and credentials, as the embedded cluster does, but over the
 * network.
 */
export async function seedCluster(env: Env, baseUrl: string): Promise<SandboxFile> {
  await answers(`${baseUrl}/readyz`);
  const runtime = readRuntime({ ...env, PORT: '0', PONTE_FAILPOINT: undefined, PONTE_INSTANCE: undefined });
  const { openClusterEngines } = await loadClusterEngines();
  const engines = await openClusterEngines(runtime, 'operator');
  try {
    await engines.bus.start();
    return await readySandbox({ engines, baseUrl }, runtime.dataDirectory);
  } finally {
    await engines.close();
  }
}

async function answers(url: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_INTERVAL_MS) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await pause(POLL_INTERVAL_MS);
  }
  throw new Error(`${url} did not answer in time`);
}
