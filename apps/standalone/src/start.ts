import type { Runtime } from '@ponte/nest';
import { startCluster } from './cluster';
import { readySandbox } from './ready-sandbox';
import type { SandboxFile } from './sandbox-file';
import { StopSignals } from './stop-signals';

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

const greeting = (sandbox: SandboxFile, dataDirectory: string, seconds: number): string => `
Ponte sandbox, ready in ${seconds.toFixed(1)} s

  address      ${sandbox['base-url']}
  documents    ${sandbox.docs}
  key          ${sandbox['api-key']}
  partner      ${sandbox['account-id']}
  sub-account  ${sandbox['subaccount-id']}
  wallet       ${sandbox['wallet-address']} (eth-base)

The same as JSON: ${dataDirectory}/sandbox.json. Ctrl-C stops it; the state stays.

  curl -s ${sandbox['base-url']}/api/v1/accounts/${sandbox['subaccount-id']}/quotes \\
    -H 'Authorization: Bearer ${sandbox['api-key']}' -H 'Content-Type: application/json' \\
    -d '{"source-asset":"fiat/brl","target-asset":"eth-base/brlv","source-amount":"100.00"}'
`;
