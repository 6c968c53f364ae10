import type { Answer, Body } from '@ponte/sdk';
import type { DemoContext } from './demo-context';
import { shortAmount } from './demo-context';
import { signIn } from './staff-client';
import { completed, until } from './waiting';

const BRL = 'fiat/brl';
const USDC = 'eth-base/usdc';
const BRLV = 'eth-base/brlv';
const REASON = { 'trade-reason': 'transfer-between-same-entity-accounts' };
/** The tax id of the sub-account's holder, which is also the holder's Pix key at another bank. */
const HOLDER_KEY = '52998224725';

/** Buys USDC, sells it to a Pix key at another bank and redeems BRLV; then an operator reads what the house earned. */
export async function convertDollars(context: DemoContext, wallet: string): Promise<void> {
  const { print } = context;
  const bought = await convert(context, {
    'source-asset': BRL,
    'target-asset': USDC,
    'source-amount': '100.00',
    ...REASON,
  });
  const rate = `BRL ${shortAmount(bought['effective-rate'])} per USDC, including all charges`;
  print(`   bought    USDC ${shortAmount(bought['target-amount'])} for BRL ${bought['source-amount']}: ${rate}`);
  print(`             delivered from the treasury by transaction ${bought['tx-hash']}`);
  const from = { 'source-wallet-address': wallet };
  const sale: Body<'create-quote'> = {
    'source-asset': USDC,
    'target-asset': BRL,
    'source-amount': bought['target-amount'],
    ...REASON,
  };
  const sold = await convert(context, sale, { ...from, 'target-end-user-pix-key': HOLDER_KEY });
  if (sold.delivery?.state !== 'delivered') throw new Error(`the payout ended ${JSON.stringify(sold.delivery)}`);
  print(
    `   sold      USDC ${shortAmount(sold['source-amount'])} for BRL ${sold['target-amount']}, ` +
      `by transaction ${sold['tx-hash']}`,
  );
  print(`             paid out to the holder's Pix key at another bank (delivery state: ${sold.delivery.state})`);
  const redemption: Body<'create-quote'> = { 'source-asset': BRLV, 'target-asset': BRL, 'source-amount': '25.00' };
  const redeemed = await convert(context, redemption, from);
  print(`   redeemed  BRLV ${shortAmount(redeemed['source-amount'])}, burned by transaction ${redeemed['tx-hash']}`);
  print(`             BRL ${redeemed['target-amount']} was credited to the balance`);
  await showReports(context);
}

async function convert(
  { client, subaccountId }: DemoContext,
  request: Body<'create-quote'>,
  fields: Omit<Body<'create-order'>, 'quote-id'> = {},
): Promise<Answer<'get-order'>['order']> {
  const { id } = await client.createQuote(subaccountId, request);
  const { order } = await client.createOrder(subaccountId, { 'quote-id': id, ...fields });
  return completed('the order', async () => (await client.getOrder(subaccountId, order.id)).order);
}

/** Prints the reports on trades and earnings as an operator reads them. */
async function showReports({ baseUrl, staff, print }: DemoContext): Promise<void> {
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
    print('   the operator reads the report of trades and earnings:');
    for (const day of days) {
      const of = (name: string): string => shortAmount(String(day[name]));
      print(`   ${of('day')}  ${of('asset')}: ${of('trades')} trades`);
      print(`     tokens: sold ${of('tokens-sold')}, bought ${of('tokens-bought')}`);
      print(`     position: tokens ${of('token-position')}, BRL ${of('brl-position')}`);
      print(`     BRL: spread ${of('spread')}, fees ${of('fees')}, IOF owed ${of('iof')}, profit ${of('profit')}`);
    }
  } finally {
    await session.signOut();
  }
}
