import { convertDollars } from './converting';
import { onboardAndTrade } from './onboarding';
import type { DemoContext } from './demo-context';
import { AccountSteps } from './account-steps';
import { transferCertificate } from './certificates';
import { receiveTokens, transferTokens } from './transferring';
import { until } from './waiting';

const DEPOSIT = '1000.00';
const FROM_BALANCE = '250.00';
const BY_BRCODE = '75.50';
const BY_PIX_OUT = '120.00';
const PAYEE_KEY = '+5511987654321';
const TRANSFERRED = '50';
const FROM_OUTSIDE = '25.00';
const CERTIFIED = '500';

/** Runs the main operations from end to end and prints each step. Throws if a step fails. */
export async function runSteps(context: DemoContext): Promise<void> {
  const { print } = context;
  const account = new AccountSteps(context, context.subaccountId);
  await showAccounts(context);
  print('');
  print(`2. Receive BRL ${DEPOSIT} by Pix`);
  await account.depositByPix(DEPOSIT);
  await account.showBalances(context.walletAddress);
  print('');
  print(`3. Convert BRL ${FROM_BALANCE} to BRLV, paid from the balance`);
  await account.orderFromBalance(FROM_BALANCE);
  print('');
  print(`4. Convert BRL ${BY_BRCODE} to BRLV, paid with a one-time Pix code`);
  await account.orderByBrcode(BY_BRCODE);
  print('');
  await onboardAndTrade(context);
  print('');
  print(`6. Withdraw BRL ${BY_PIX_OUT} to another person's Pix key`);
  await account.withdrawByPix(BY_PIX_OUT, PAYEE_KEY);
  await account.showBalances(context.walletAddress);
  print('');
  print(`7. Transfer BRLV ${TRANSFERRED} from the sub-account to the partner, on chain and in both balances`);
  await transferTokens(context, TRANSFERRED);
  print('');
  print(`8. Receive a deposit of USDC ${FROM_OUTSIDE} from an external address`);
  await receiveTokens(context, 'eth-base/usdc', FROM_OUTSIDE);
  print('');
  print(`9. Issue a reward certificate for BRLV ${CERTIFIED} to the sub-account, and transfer it to the partner`);
  await transferCertificate(context, CERTIFIED);
  print('');
  print('10. Buy USDC, sell it for BRL paid to a Pix key at another bank, and redeem BRLV');
  await convertDollars(context, context.walletAddress);
  print('');
  await showWebhooks(context);
}

async function showAccounts(context: DemoContext): Promise<void> {
  const { items: accounts } = await context.client.listAccounts();
  context.print('1. Accounts');
  for (const account of accounts)
    context.print(`   ${account['parent-id'] ? 'sub-account' : 'partner    '}  ${account.id}  ${account.alias}`);
  context.print(`   wallet       ${context.walletAddress} on eth-base`);
  const { 'webhook-endpoint': endpoint } = await context.client.createWebhookEndpoint(context.accountId, {
    url: context.receiver.url,
  });
  context.receiver.useSecret(endpoint.secret);
  context.print(`   webhooks     of the partner and all its sub-accounts go to ${context.receiver.url}`);
}

async function showWebhooks(context: DemoContext): Promise<void> {
  const wanted = {
    'deposit-processed': 5,
    'order-completed': 6,
    'account-approved': 1,
    'withdraw-completed': 2,
    'token-transfer-completed': 1,
    'nft-transfer-completed': 1,
  };
  const count = (type: string) => context.receiver.verified.filter((event) => event['event-type'] === type).length;
  await until(
    'the webhooks',
    async () => context.receiver.verified.length,
    () => Object.entries(wanted).every(([type, times]) => count(type) >= times),
  );
  context.print('11. Webhooks that the partner received, each with a verified signature');
  for (const event of context.receiver.verified)
    context.print(`   ${event['event-type'].padEnd(23)} ${event['resource-id']}  #${event.sequence}`);
  if (context.receiver.refused > 0) throw new Error(`${context.receiver.refused} webhooks did not verify`);
}
