import type { WalletCreated } from '@ponte/contracts';
import { cpfOf } from '../../../../../onboarding/src/testing/people';
import { startWebhookReceiver } from '../../../demo/webhook-receiver';
import { ofType, readRunningLog } from '../../testing/trial-balance';
import { Client } from '../../testing/client';
import { Customer } from '../../testing/customer';
import { allReported, payUntilDeath, retried } from './kill-scenario';
import type { Aftermath, KillPoint } from './kill-scenario';
import type { KillableCluster } from '../../testing/killable-cluster';
import { brlvOnChain } from '../../testing/on-chain';
import { Operator } from '../../testing/operator';
import { until } from '../../testing/waiting';

const FIRST_PERSON = 350_000_000;
const CHAINS_OF_AN_ACCOUNT = 3;
const POLL_MS = 250;
let made = 0;

/**
 * Runs one order of a new customer on a shared cluster: the process at the kill point dies and its successor continues.
 */
export async function killOnCluster(cluster: KillableCluster, point: KillPoint): Promise<Aftermath> {
  const { running, folder } = cluster;
  const receiver = await startWebhookReceiver();
  const answers: string[] = [];
  const { customer, wallet } = await openReadyAccount(cluster);
  try {
    receiver.useSecret(await customer.listen(receiver.url));
    const chain = brlvOnChain(folder);
    const [before, supply, said] = [
      (await readRunningLog(folder)).length,
      Number(await chain.supply()),
      running.log.length,
    ];
    const death = await cluster.armFailpoint(point.failpoint);
    const { quoteId, paid } = await payUntilDeath(customer, point, answers);
    const killedBy = await death();
    const { id: orderId, brcode } = await retried(customer, quoteId, point, answers);
    if (brcode !== undefined && !paid) await until(() => customer.api.post('/api/v1/sandbox/pix-payments', { brcode }));
    const order = await customer.ended(orderId);
    await allReported(receiver);
    return {
      killedBy,
      orderId,
      order,
      answers,
      accountId: customer.accountId,
      orders: await customer.listShowing(order),
      brl: await customer.balance('brl'),
      brlv: await customer.balance('brlv'),
      chain: { supply: String(Number(await chain.supply()) - supply), wallet: await chain.of(wallet) },
      log: (await readRunningLog(folder)).slice(before),
      webhooks: receiver.verified,
      refusedWebhooks: receiver.refused,
      complaints: running.log.slice(said),
    };
  } finally {
    await customer.api.close();
    await receiver.close();
  }
}

/** Opens a sub-account of the sandbox's partner and waits for its wallets, so that nothing is left to do for it. */
async function openReadyAccount({
  running: { sandbox },
  running,
  folder,
}: KillableCluster): Promise<{ readonly customer: Customer; readonly wallet: string }> {
  const operator = Operator.of(running);
  made += 1;
  const accountId = await until(() =>
    operator.openAccount({
      alias: `killed ${made}`,
      'legal-name': `Conta ${made}`,
      'tax-id': cpfOf(FIRST_PERSON + made),
      'parent-id': sandbox['account-id'],
    }),
  );
  await operator.api.close();
  const wallets = await until(
    async () => {
      const own = ofType<WalletCreated['data']>(await readRunningLog(folder), 'WalletCreated').filter(
        ({ data }) => data.accountId === accountId,
      );
      if (own.length < CHAINS_OF_AN_ACCOUNT) throw new Error(`the account has ${own.length} wallets`);
      return own;
    },
    undefined,
    POLL_MS,
  );
  const wallet = wallets.find(({ data }) => data.chain === 'eth-base')?.data.address ?? '';
  return { customer: new Customer(Client.bearer(sandbox['base-url'], sandbox['api-key']), accountId), wallet };
}
