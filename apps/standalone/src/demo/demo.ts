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
import { shortAmount } from './demo-context';
import { runSteps } from './demo-steps';
import { startWebhookReceiver } from './webhook-receiver';

/** Runs the steps in a sandbox in a temporary folder, and removes the folder. */
export async function demo(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-demo-'));
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  try {
    print('Ponte demo: every main operation, end to end, in a temporary sandbox');
    await runDemo(folder, print);
    print('');
    print('Every step succeeded. Run `npm start` to keep a sandbox like this one running.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the steps in a sandbox that keeps its data in this folder, then stops it. */
export async function runDemo(folder: string, print: (line: string) => void): Promise<void> {
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
      await runSteps({
        baseUrl: sandbox['base-url'],
        staff: sandbox.staff,
        client: new Ponte({ baseUrl: sandbox['base-url'], apiKey: sandbox['api-key'] }),
        accountId: sandbox['account-id'],
        subaccountId: sandbox['subaccount-id'],
        walletAddress: sandbox['wallet-address'],
        receiver,
        onChainBalance: await chainReader(cluster),
        print,
      });
      await showTrialBalance(cluster, print);
    } finally {
      await cluster.stop();
    }
  } finally {
    await receiver.close();
  }
}

/** Prints the trial balance: the house accounts, and the sum of all accounts, which must be zero. */
async function showTrialBalance({ engines }: RunningCluster, print: (line: string) => void): Promise<void> {
  const { lines, customers, sums } = await engines.bus.request(
    GetTrialBalance,
    { customers: false },
    systemContext(engines.ids, 'demo'),
  );
  print('');
  print('12. Trial balance: the house accounts, and the total of all customer accounts');
  for (const { account, asset, amount } of lines)
    print(`   ${account.padEnd(18)} ${asset.padEnd(14)} ${shortAmount(amount)}`);
  for (const { asset, amount } of customers)
    print(`   ${'all customers'.padEnd(18)} ${asset.padEnd(14)} ${shortAmount(amount)}`);
  if (sums.some(({ amount }) => /[1-9]/.test(amount)))
    throw new Error(`the trial balance is not zero: ${JSON.stringify(sums)}`);
  print('   every asset sums to zero');
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
