import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetTrialBalance, GetChains } from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { Ponte } from '@ponte/sdk';
import { createPublicClient, erc20Abi, formatUnits, http } from 'viem';
import type { RunningCluster } from '../cluster';
import { startCluster } from '../cluster';
import { readySandbox } from '../ready-sandbox';
import { tellStory } from './story';
import { startWebhookReceiver } from './webhook-receiver';

/** Runs the story on a cluster in a temporary folder, and removes the folder. */
export async function demo(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-demo-'));
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    say('Ponte: the main job, end to end, on a cluster of its own');
    await runStory(folder, say);
    say('');
    say('All of it worked. `npm start` leaves such a cluster running for you.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the story on a cluster that keeps its data in this folder, and stops the cluster. */
export async function runStory(folder: string, say: (line: string) => void): Promise<void> {
  const receiver = await startWebhookReceiver();
  try {
    const cluster = await startCluster({
      environment: 'sandbox',
      dataDirectory: folder,
      port: 0,
      logLevel: 'error',
      embeddedByName: true,
      failpoint: null,
    });
    try {
      const sandbox = await readySandbox(cluster, folder);
      await tellStory({
        baseUrl: sandbox['base-url'],
        staff: sandbox.staff,
        client: new Ponte({ baseUrl: sandbox['base-url'], apiKey: sandbox['api-key'] }),
        accountId: sandbox['account-id'],
        subaccountId: sandbox['subaccount-id'],
        walletAddress: sandbox['wallet-address'],
        receiver,
        onChainBalance: await chainReader(cluster),
        say,
      });
      await showBooks(cluster, say);
    } finally {
      await cluster.stop();
    }
  } finally {
    await receiver.close();
  }
}

/** Prints the trial balance: the house accounts, and the sum of all accounts, which must be zero. */
async function showBooks({ engines }: RunningCluster, say: (line: string) => void): Promise<void> {
  const { lines, customers, sums } = await engines.bus.request(
    GetTrialBalance,
    { customers: false },
    systemContext(engines.ids, 'demo'),
  );
  say('');
  say('12. The books: the accounts of the house, and those of all customers together');
  for (const { account, asset, amount } of lines) say(`   ${account.padEnd(18)} ${asset.padEnd(14)} ${amount}`);
  for (const { asset, amount } of customers) say(`   ${'all customers'.padEnd(18)} ${asset.padEnd(14)} ${amount}`);
  if (sums.some(({ amount }) => /[1-9]/.test(amount)))
    throw new Error(`the books do not sum to zero: ${JSON.stringify(sums)}`);
  say('   every asset sums to zero');
}

/**
 * Returns a function that reads a holder's BRLV on eth-base with its own client, to check the API against the chain.
 */
async function chainReader(cluster: RunningCluster): Promise<(holder: string) => Promise<string>> {
  const { engines } = cluster;
  const { chains } = await engines.bus.request(GetChains, {}, systemContext(engines.ids, 'demo'));
  const base = chains.find((chain) => chain.chain === 'eth-base');
  const token = base?.tokens.find((one) => one.asset === 'eth-base/brlv');
  if (!base || !token) throw new Error('eth-base has no BRLV');
  const client = createPublicClient({ transport: http(base.url) });
  return async (holder) => {
    const args = [holder as `0x${string}`] as const;
    const units = await client.readContract({
      address: token.address as `0x${string}`,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args,
    });
    return formatUnits(units, token.decimals);
  };
}
