import type { Json } from '../../e2e/testing/client';
import type { Customer } from '../../e2e/testing/customer';

/** A conversion of the mix. */
export interface OrderAction {
  readonly kind: 'order';
  readonly source: string;
  readonly target: string;
}
/** The kinds of movements in the load, with the webhook event that ends each. */
export const MOVEMENT_ENDS = {
  'token-transfer': 'token-transfer-completed',
  'nft-transfer': 'nft-transfer-completed',
  'pix-withdrawal': 'withdraw-completed',
  'ted-withdrawal': 'withdraw-completed',
  'token-withdrawal': 'withdraw-completed',
  'token-deposit': 'deposit-processed',
  'brl-deposit': 'deposit-processed',
} as const;
export type MovementKind = keyof typeof MOVEMENT_ENDS;
interface MovementAction {
  readonly kind: MovementKind;
}
type Action = OrderAction | MovementAction;

const order = (source: string, target: string): OrderAction => ({ kind: 'order', source, target });
const BUY_BRLV = order('fiat/brl', 'eth-base/brlv');

/**
 * The load repeats this sequence. BRLV orders are spread over it, because a kill waits for an order that was sent after
 * it.
 */
export const MIX: readonly Action[] = [
  BUY_BRLV,
  { kind: 'token-transfer' },
  order('fiat/brl', 'eth-base/usdc'),
  BUY_BRLV,
  { kind: 'pix-withdrawal' },
  order('eth-base/brlv', 'fiat/brl'),
  { kind: 'token-deposit' },
  BUY_BRLV,
  order('fiat/brl', 'eth-base/wbrly'),
  { kind: 'token-withdrawal' },
  order('eth-base/usdc', 'fiat/brl'),
  { kind: 'brl-deposit' },
  BUY_BRLV,
  { kind: 'nft-transfer' },
  order('eth-base/wbrly', 'fiat/brl'),
  { kind: 'ted-withdrawal' },
];
/** The tokens that each account buys before the load. */
export const TOKENS = ['eth-base/brlv', 'eth-base/usdc', 'eth-base/wbrly'] as const;
export const SYMBOLS = ['brl', 'brlv', 'usdc', 'wbrly'] as const;
export const assetNamed = (symbol: string): string => (symbol === 'brl' ? 'fiat/brl' : `eth-base/${symbol}`);

/** An account that takes part in the load, with its wallet and the target of its token movements. */
export interface Party {
  readonly customer: Customer;
  readonly wallet: string;
  /** A wallet of the next account, where the movement arrives as a deposit. */
  readonly neighbour: string;
}
interface Request {
  readonly path: string;
  readonly body: Json;
}

const AMOUNT = '1.00';
export const ORDER_AMOUNT = '11.00';
/** A Pix key in the simulated directory. */
const PAYEE_KEY = '11144477735';
const TED = {
  method: 'ted',
  'bank-code': '001',
  'branch-number': '1584',
  'account-number': '00210169-6',
  'account-holder-name': 'Ana Duarte',
  'account-holder-tax-id': '52998224725',
};

/** The request that starts a movement. `certificateId` is used only by an NFT transfer. */
export function requestOf(kind: MovementKind, party: Party, certificateId: string): Request {
  const { customer, wallet, neighbour } = party;
  switch (kind) {
    case 'token-transfer':
      return {
        path: customer.path('/transfers'),
        body: { 'source-address': wallet, 'target-address': neighbour, asset: 'eth-base/brlv', amount: AMOUNT },
      };
    case 'nft-transfer':
      return {
        path: customer.path('/nft-transfers'),
        body: { 'source-address': wallet, 'target-address': neighbour, 'reward-certificate-id': certificateId },
      };
    case 'pix-withdrawal':
      return {
        path: customer.path('/withdrawals'),
        body: { asset: 'fiat/brl', method: 'pix', amount: AMOUNT, 'pix-key': PAYEE_KEY },
      };
    case 'ted-withdrawal':
      return { path: customer.path('/withdrawals'), body: { asset: 'fiat/brl', amount: AMOUNT, ...TED } };
    case 'token-withdrawal':
      return {
        path: customer.path('/withdrawals'),
        body: { asset: 'eth-base/brlv', method: 'token', amount: AMOUNT, 'destination-wallet-address': neighbour },
      };
    case 'token-deposit':
      return {
        path: '/api/v1/sandbox/deposits',
        body: { 'account-id': customer.accountId, type: 'token', asset: 'eth-base/usdc', amount: AMOUNT },
      };
    case 'brl-deposit':
      return {
        path: '/api/v1/sandbox/pix-payments',
        body: { 'account-id': customer.accountId, amount: AMOUNT },
      };
  }
}

interface Made {
  readonly transfer?: { readonly id: string };
  readonly withdrawal?: { readonly id: string };
  readonly deposit?: { readonly 'tx-hash': string };
  readonly 'pix-payment'?: { readonly 'end-to-end-id': string };
}

/** The id in the response. For a deposit, the transaction hash or end-to-end id by which it can be found. */
export function referenceIn(body: unknown): string {
  const made = body as Made;
  const found =
    made.transfer?.id ?? made.withdrawal?.id ?? made.deposit?.['tx-hash'] ?? made['pix-payment']?.['end-to-end-id'];
  if (found === undefined) throw new Error(`the response contains no id: ${JSON.stringify(body)}`);
  return found;
}
