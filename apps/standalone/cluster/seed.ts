import { pause } from '@ponte/concurrency';
import { openClusterEngines, readRuntime } from '@ponte/nest';
import { readySandbox } from '../src/ready-sandbox';
import type { SandboxFile } from '../src/sandbox-file';
import type { Env } from './service-processes';

/**
 * Ready means that the edge lets requests in, for which it asks another service; on a busy machine seven processes need
 * their time.
 */
const PATIENCE_MS = 120_000;
const LOOK_MS = 100;

/** Waits for the services and makes what a newcomer needs, as the embedded cluster does, but over the wire. */
export async function seedCluster(env: Env, baseUrl: string): Promise<SandboxFile> {
  await answers(`${baseUrl}/readyz`);
  const runtime = readRuntime({ ...env, PORT: '0', PONTE_FAILPOINT: undefined, PONTE_INSTANCE: undefined });
  const engines = await openClusterEngines(runtime, 'operator');
  try {
    await engines.bus.start();
    return await readySandbox({ engines, baseUrl }, runtime.dataDirectory);
  } finally {
    await engines.close();
  }
}

async function answers(url: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const response = await fetch(url).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await pause(LOOK_MS);
  }
  throw new Error(`${url} did not answer in time`);
}
