import { convertDollars } from './converting';
import { onboardAndTrade } from './onboarding';
import type { Stage } from './stage';
import { Trader } from './trading';
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

/** Runs the main job from end to end and prints each step. Throws if a step fails. */
export async function tellStory(stage: Stage): Promise<void> {
  const { say } = stage;
  const trader = new Trader(stage, stage.subaccountId);
  await introduce(stage);
  say('');
  say(`2. A Pix of BRL ${DEPOSIT} arrives`);
  await trader.depositByPix(DEPOSIT);
  await trader.showBalances(stage.walletAddress);
  say('');
  say(`3. BRL ${FROM_BALANCE} become BRLV, paid from the balance`);
  await trader.orderFromBalance(FROM_BALANCE);
  say('');
  say(`4. BRL ${BY_BRCODE} become BRLV, paid by a one-time Pix code`);
  await trader.orderByBrcode(BY_BRCODE);
  say('');
  await onboardAndTrade(stage);
  say('');
  say(`6. BRL ${BY_PIX_OUT} go to the Pix key of another person`);
  await trader.withdrawByPix(BY_PIX_OUT, PAYEE_KEY);
  await trader.showBalances(stage.walletAddress);
  say('');
  say(`7. BRLV ${TRANSFERRED} go from the sub-account to its partner, on the chain and in both books`);
  await transferTokens(stage, TRANSFERRED);
  say('');
  say(`8. USDC ${FROM_OUTSIDE} arrive from outside, on the chain`);
  await receiveTokens(stage, 'eth-base/usdc', FROM_OUTSIDE);
  say('');
  say(`9. A reward certificate of BRLV ${CERTIFIED} is issued to the sub-account, which gives it to its partner`);
  await transferCertificate(stage, CERTIFIED);
  say('');
  say('10. USDC is bought, sold to a Pix key at another bank, and BRLV is redeemed');
  await convertDollars(stage, stage.walletAddress);
  say('');
  await showWebhooks(stage);
}

async function introduce(stage: Stage): Promise<void> {
  const { items: accounts } = await stage.client.listAccounts();
  stage.say('1. Who is here');
  for (const account of accounts)
    stage.say(`   ${account['parent-id'] ? 'sub-account' : 'partner    '}  ${account.id}  ${account.alias}`);
  stage.say(`   wallet       ${stage.walletAddress} on eth-base`);
  const { 'webhook-endpoint': endpoint } = await stage.client.createWebhookEndpoint(stage.accountId, {
    url: stage.receiver.url,
  });
  stage.receiver.useSecret(endpoint.secret);
  stage.say(`   webhooks of the partner and of all its sub-accounts go to ${stage.receiver.url}`);
}

async function showWebhooks(stage: Stage): Promise<void> {
  const wanted = {
    'deposit-processed': 5,
    'order-completed': 6,
    'account-approved': 1,
    'withdraw-completed': 2,
    'token-transfer-completed': 1,
    'nft-transfer-completed': 1,
  };
  const count = (type: string) => stage.receiver.verified.filter((event) => event['event-type'] === type).length;
  await until(
    'the webhooks',
    async () => stage.receiver.verified.length,
    () => Object.entries(wanted).every(([type, times]) => count(type) >= times),
  );
  stage.say('11. The webhooks that the partner received, every signature verified');
  for (const event of stage.receiver.verified)
    stage.say(`   ${event['event-type'].padEnd(23)} ${event['resource-id']}  #${event.sequence}`);
  if (stage.receiver.refused > 0) throw new Error(`${stage.receiver.refused} webhooks did not verify`);
}
