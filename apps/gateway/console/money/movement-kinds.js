/**
 * @typedef {Record<string, any>} Row
 * @typedef {{ name: string, label: string, values?: readonly string[] }} Filter `name`: the query parameter of the API;
 *   `values`: what may be chosen
 * @typedef {object} Kind
 * @property {string} label
 * @property {string} one
 * @property {string} path
 * @property {string} list the member of the response that contains the rows
 * @property {string} envelope the member of the response that contains one of them
 * @property {'state' | 'status'} state
 * @property {string[]} states
 * @property {readonly Filter[]} filters
 * @property {(row: Row) => (string | null | undefined)[]} facts
 */

/** The assets of the API. */
export const ASSETS = [
  'fiat/brl',
  'fiat/usd',
  'eth-base/brlv',
  'eth-base/brly',
  'eth-base/usdc',
  'eth-base/usdt',
  'eth-base/wbrly',
  'eth-mainnet/brlv',
  'eth-mainnet/usdc',
  'eth-mainnet/usdt',
  'tempo/brlv',
];

const ASSET = { name: 'asset', label: 'Asset', values: ASSETS };
const SOURCE = { name: 'source-address', label: 'Source address' };
const TARGET = { name: 'target-address', label: 'Target address' };
const TX_HASH = { name: 'tx-hash', label: 'Transaction hash' };
const EXTERNAL_ID = { name: 'external-id', label: "Partner's own id" };

/** The lists of movements that staff can read. @type {Record<string, Kind>} */
export const KINDS = {
  withdrawals: {
    label: 'Withdrawals',
    one: 'Withdrawal',
    path: 'withdrawals',
    list: 'withdrawals',
    envelope: 'withdrawal',
    state: 'state',
    states: ['created', 'processing', 'completed', 'rolled-back'],
    filters: [ASSET, { name: 'method', label: 'Method', values: ['pix', 'ted', 'token'] }, EXTERNAL_ID],
    facts: (row) => [row['method'], row['destination-wallet-address'] ?? row['account-holder-tax-id'], row['tx-hash']],
  },
  deposits: {
    label: 'Deposits',
    one: 'Deposit',
    path: 'deposits',
    list: 'deposits',
    envelope: 'deposit',
    state: 'status',
    states: ['created', 'confirmed', 'credited', 'voided'],
    filters: [
      ASSET,
      { name: 'type', label: 'Type', values: ['pix', 'ted', 'manual-fx', 'token'] },
      { name: 'end-to-end-id', label: 'Id at the bank' },
      TX_HASH,
    ],
    facts: (row) => [row['type'], row['end-to-end-id'], row['bank-return-id'] ?? row['return-id'], row['tx-hash']],
  },
  transfers: {
    label: 'Token transfers',
    one: 'Token transfer',
    path: 'transfers',
    list: 'transfers',
    envelope: 'transfer',
    state: 'state',
    states: ['created', 'pending', 'completed', 'failed'],
    filters: [ASSET, SOURCE, TARGET, TX_HASH, EXTERNAL_ID],
    facts: (row) => [row['source-address'], row['target-address'], row['tx-hash']],
  },
  'nft-transfers': {
    label: 'NFT transfers',
    one: 'NFT transfer',
    path: 'nft-transfers',
    list: 'transfers',
    envelope: 'transfer',
    state: 'state',
    states: ['created', 'pending', 'completed', 'failed'],
    filters: [{ name: 'reward-certificate-id', label: 'Certificate id' }, SOURCE, TARGET, TX_HASH, EXTERNAL_ID],
    facts: (row) => [row['reward-certificate-id'], row['target-address'], row['tx-hash']],
  },
  certificates: {
    label: 'Reward certificates',
    one: 'Reward certificate',
    path: 'reward-certificates',
    list: 'reward-certificates',
    envelope: 'reward-certificate',
    state: 'status',
    states: ['issued', 'active', 'transferring', 'transferred', 'failed'],
    filters: [{ name: 'wallet-address', label: 'Wallet' }],
    facts: (row) => [row['wallet-address'], row['tx-hash']],
  },
};

/** @type {Record<string, 'good' | 'bad' | 'warn' | ''>} */
export const TONES = {
  completed: 'good',
  credited: 'good',
  active: 'good',
  failed: 'bad',
  'rolled-back': 'bad',
  voided: 'bad',
};
