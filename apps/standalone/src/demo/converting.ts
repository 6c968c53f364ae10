import type { Answer, Body } from '@ponte/sdk';
import type { Stage } from './stage';
import { signIn } from './staff-client';
import { completed, until } from './waiting';

const BRL = 'fiat/brl';
const USDC = 'eth-base/usdc';
const BRLV = 'eth-base/brlv';
const REASON = { 'trade-reason': 'transfer-between-same-entity-accounts' };
/** The tax id of the sub-account's holder, which is also the holder's Pix key at another bank. */
const HOLDER_KEY = '52998224725';

/** Buys USDC, sells it to a Pix key at another bank and redeems BRLV; then staff read what the house earned. */
export async function convertDollars(stage: Stage, wallet: string): Promise<void> {
  const { say } = stage;
  const bought = await convert(stage, {
    'source-asset': BRL,
    'target-asset': USDC,
    'source-amount': '100.00',
    ...REASON,
  });
  const rate = `BRL ${bought['effective-rate']} each, all charges included`;
  say(`   bought    USDC ${bought['target-amount']} for BRL ${bought['source-amount']}: ${rate}`);
  say(`             delivered from the treasury by transaction ${bought['tx-hash']}`);
  const from = { 'source-wallet-address': wallet };
  const sale: Body<'create-quote'> = {
    'source-asset': USDC,
    'target-asset': BRL,
    'source-amount': bought['target-amount'],
    ...REASON,
  };
  const sold = await convert(stage, sale, { ...from, 'target-end-user-pix-key': HOLDER_KEY });
  if (sold.delivery?.state !== 'delivered') throw new Error(`the payout ended ${JSON.stringify(sold.delivery)}`);
  say(`   sold      USDC ${sold['source-amount']} for BRL ${sold['target-amount']}, by transaction ${sold['tx-hash']}`);
  say(`             paid out to the holder's Pix key at another bank: delivery is ${sold.delivery.state}`);
  const redemption: Body<'create-quote'> = { 'source-asset': BRLV, 'target-asset': BRL, 'source-amount': '25.00' };
  const redeemed = await convert(stage, redemption, from);
  say(`   redeemed  BRLV ${redeemed['source-amount']}, burned by transaction ${redeemed['tx-hash']}`);
  say(`             BRL ${redeemed['target-amount']} are in the balance`);
  await showReports(stage);
}

async function convert(
  { client, subaccountId }: Stage,
  wanted: Body<'create-quote'>,
  members: Omit<Body<'create-order'>, 'quote-id'> = {},
): Promise<Answer<'get-order'>['order']> {
  const { id } = await client.createQuote(subaccountId, wanted);
  const { order } = await client.createOrder(subaccountId, { 'quote-id': id, ...members });
  return completed('the order', async () => (await client.getOrder(subaccountId, order.id)).order);
}

/** Prints the reports on trades and earnings as an operator reads them. */
async function showReports({ baseUrl, staff, say }: Stage): Promise<void> {
  const operator = staff.find(({ role }) => role === 'operator');
  if (!operator) throw new Error('the sandbox has no operator');
  const session = await signIn(baseUrl, operator);
  try {
    const year = new Date().getUTCFullYear();
    const query = `?from=${year - 1}-01-01&to=${year + 1}-12-31`;
    const { 'fx-days': days } = await until(
      'the report',
      () => session.get<{ 'fx-days': Record<string, unknown>[] }>(`/staff/v1/reports/fx-days${query}`),
      (answer) => Number(answer['fx-days'][0]?.['trades'] ?? 0) >= 2,
    );
    say('   staff read what the house traded and earned:');
    for (const day of days) {
      const of = (name: string): string => String(day[name]);
      say(`   ${of('day')}  ${of('asset')}: ${of('trades')} trades`);
      say(`     tokens: sold ${of('tokens-sold')}, bought ${of('tokens-bought')}`);
      say(`     position: ${of('token-position')} of the token and BRL ${of('brl-position')}`);
      say(`     BRL: spread ${of('spread')}, fees ${of('fees')}, IOF owed ${of('iof')}, profit ${of('profit')}`);
    }
  } finally {
    await session.signOut();
  }
}
