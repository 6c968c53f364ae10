import { performance } from 'node:perf_hooks';
import type { Call } from './load/load';
import { median, saturate } from './load/load';
import type { Fixtures } from './orders';
import { complete, drained, open } from './orders';
import type { Row } from './report';

interface Kind {
  readonly path: 'transfers' | 'withdrawals';
  readonly states: readonly string[];
  body(account: string): object;
}

const CALLERS = 64;
/** Orders that buy the BRLV which the accounts then send, 1.00 each. */
const BOUGHT = 3_200;
const COUNT = 640;
const ROUNDS = 3;
const AMOUNT = '1.00';
const OUTSIDE = `0x${'cd'.repeat(20)}`;
/** A key in the simulated directory. */
const PAYEE = '11144477735';

/**
 * Measures transfers and withdrawals accepted and completed per second, with orders as the reference. The chain and the
 * bank are simulated.
 */
export async function benchMovements(script: string): Promise<Row[]> {
  const movements = await open(script, {});
  try {
    const orders = await complete(movements, BOUGHT);
    const wallets = new Map<string, string>();
    for (const account of movements.accounts) wallets.set(account, await walletOf(movements, account));
    const transfers: Kind = {
      path: 'transfers',
      states: ['created', 'pending'],
      body: (account) => ({
        'source-address': wallets.get(account),
        'target-address': OUTSIDE,
        asset: 'eth-base/brlv',
        amount: AMOUNT,
      }),
    };
    const withdrawals: Kind = {
      path: 'withdrawals',
      states: ['created', 'processing'],
      body: () => ({ asset: 'fiat/brl', method: 'pix', amount: AMOUNT, 'pix-key': PAYEE }),
    };
    return [...(await rowsOf(movements, transfers, orders)), ...(await rowsOf(movements, withdrawals, orders))];
  } finally {
    await movements.close();
  }
}

async function walletOf({ partner }: Fixtures, account: string): Promise<string> {
  const path = `/api/v1/accounts/${account}/wallets?assets=eth-base/brlv`;
  const { wallets } = await partner.ask<{ wallets: readonly { address: string }[] }>(partner.get(path));
  return wallets[0]?.address ?? '';
}

async function rowsOf(movements: Fixtures, kind: Kind, orders: number): Promise<Row[]> {
  const [accepted, completed]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const rates = await measure(movements, kind);
    accepted.push(rates.accepted);
    completed.push(rates.completed);
  }
  const beside = { reference: orders, referenceName: 'orders completed' };
  return [
    { name: `${kind.path} accepted/s, ${CALLERS} callers`, value: median(accepted) },
    { name: `${kind.path} completed/s, chain and bank left out`, value: median(completed), ...beside },
  ];
}

/** Both rates are measured from the first request: until the last response, and until no movement is in progress. */
async function measure(movements: Fixtures, { path, states, body }: Kind) {
  const { accounts, partner, target } = movements;
  const calls = Array.from({ length: COUNT }, (_, at): Call => {
    const account = accounts[at % accounts.length] ?? '';
    return partner.post(`/api/v1/accounts/${account}/${path}`, body(account));
  });
  const began = performance.now();
  const { perSecond, refused } = await saturate(target, calls, CALLERS);
  if (refused > 0) throw new Error(`${refused} ${path} were refused`);
  await drained(movements, accounts, path, states);
  return { accepted: perSecond, completed: (COUNT * 1_000) / (performance.now() - began) };
}
