import type { Runtime } from '@ponte/nest';
import type { RunningCluster } from './cluster';
import { startCluster } from './cluster';
import { readySandbox } from './ready-sandbox';
import type { SandboxFile } from './sandbox-file';

/** Runs the cluster until SIGINT or SIGTERM. */
export async function start(runtime: Runtime): Promise<void> {
  const cluster = await startCluster(runtime);
  stopOnSignal(cluster);
  if (runtime.environment === 'sandbox') {
    const sandbox = await readySandbox(cluster, runtime.dataDirectory);
    process.stdout.write(greeting(sandbox, runtime.dataDirectory, process.uptime()));
  } else {
    process.stdout.write(`Ponte is ready at ${cluster.baseUrl}\n`);
  }
}

function stopOnSignal(cluster: RunningCluster): void {
  const stop = () => {
    cluster.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`the cluster did not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
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
