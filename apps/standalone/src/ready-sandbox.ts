import { GetAccountWallets } from '@ponte/contracts';
import type { Engines } from '@ponte/nest';
import { pause } from '@ponte/concurrency';
import { systemContext } from '@ponte/event-sourcing';
import type { SandboxFile } from './sandbox-file';
import { readSandboxFile, writeSandboxFile } from './sandbox-file';
import { seedSandbox } from '../../onboarding/src/sandbox/sandbox-seed';

const POLL_MS = 10;
const PATIENCE_MS = 20_000;

/** The parts of a running cluster that are needed here, in this process or over the network. */
interface ReachedCluster {
  readonly engines: Pick<Engines, 'bus' | 'personalData' | 'ids' | 'runtime'>;
  readonly baseUrl: string;
}

/**
 * Creates the sandbox's partners, sub-account, keys, staff and wallets unless they exist, and writes `sandbox.json`.
 */
export async function readySandbox(cluster: ReachedCluster, dataDirectory: string): Promise<SandboxFile> {
  const known = readSandboxFile(dataDirectory);
  const { partnerId, subaccountId, apiKey, relianceApiKey, bareApiKey, staff } = await seedSandbox(
    cluster.engines,
    known?.['api-key'] ?? null,
    {
      relianceApiKey: known?.['reliance-api-key'],
      bareApiKey: known?.['bare-api-key'],
      staff: known?.staff,
    },
  );
  const sandbox: SandboxFile = {
    'base-url': cluster.baseUrl,
    docs: `${cluster.baseUrl}/docs`,
    console: `${cluster.baseUrl}/console/`,
    'api-key': apiKey,
    'account-id': partnerId,
    'subaccount-id': subaccountId,
    'wallet-address': await walletOf(cluster, subaccountId),
    'reliance-api-key': relianceApiKey,
    'bare-api-key': bareApiKey,
    staff,
  };
  writeSandboxFile(dataDirectory, sandbox);
  return sandbox;
}

/** Wallets are created asynchronously after the account, so the first start waits for them. */
async function walletOf({ engines }: ReachedCluster, accountId: string): Promise<string> {
  const context = systemContext(engines.ids, 'sandbox');
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    const { wallets } = await engines.bus.request(GetAccountWallets, { accountId }, context);
    const wallet = wallets.find((one) => one.chain === 'eth-base');
    if (wallet) return wallet.address;
    await pause(POLL_MS);
  }
  throw new Error('the wallets of the sandbox account were not provisioned');
}
