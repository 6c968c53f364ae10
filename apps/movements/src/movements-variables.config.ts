import type { Setting } from '@ponte/kernel';

/** The variables of the environment, their meaning and their defaults. */
export const MOVEMENTS_SETTINGS: readonly Setting[] = [
  {
    name: 'MOVEMENTS_CHAINS',
    meaning: 'local (an anvil for each chain), simulated (in memory, for benchmarks) or rpc; production has no default',
    default: 'local',
  },
  { name: 'CHAIN_BLOCK_MS', meaning: 'local: between two blocks, while transactions wait', default: '1000' },
  {
    name: 'CHAIN_FINAL_AFTER',
    meaning: 'local: blocks after which a block is final, itself included; a deposit is credited then',
    default: '1',
  },
  {
    name: 'OPERATOR_KEYS',
    meaning: 'keys that mint and move wallets, on each chain; each has nonces and gas of its own',
    default: '1',
  },
  {
    name: 'SIGNER_LIMITS',
    meaning:
      'JSON: the most whole tokens that operator keys sign for, {"eth-base/brlv":{"transaction":"10000000","hour":"100000000"}}; assets that it does not name have these two. "certificate" counts reward certificates: 1 and 10000. Each process counts for itself and begins at zero with its start',
    default: '{}',
  },
  {
    name: 'KEYSTORE',
    meaning: 'where the operator keys are: file (the encrypted key store in the data folder) or aws-kms',
    default: 'file',
  },
  {
    name: 'KEYSTORE_PASSPHRASE',
    meaning: 'file: opens the encrypted key store; production has no default',
    default: 'of the sandbox',
  },
  {
    name: 'KEYSTORE_KMS_ALIAS_PREFIX',
    meaning:
      'aws-kms: precedes the id of each key, so that alias/ponte/operator is the first; region, credentials and endpoint as in any AWS SDK',
    default: 'alias/ponte/',
  },
  {
    name: 'CHAIN_RPC_<CHAIN>',
    meaning:
      'rpc: JSON-RPC URLs of ETH_MAINNET, ETH_BASE, TEMPO, with commas between; the first that answers is asked, and two must agree before money is given back',
    default: '',
  },
  {
    name: 'CHAIN_DEPLOYMENT_<CHAIN>',
    meaning:
      'rpc: JSON with the addresses of our contracts, {"minter":"0x…","custody":"0x…","tokens":{"eth-base/brlv":' +
      '"0x…"}}; of ETH_BASE also "certificates", without which no reward certificate is issued',
    default: '',
  },
  {
    name: 'CHAIN_CONFIRMATIONS_<CHAIN>',
    meaning: 'rpc: confirmations after which a movement is completed',
    default: '12, 12, 1',
  },
  {
    name: 'CHAIN_FORGETS',
    meaning:
      'rpc, in the sandbox: true where a test chain may lose its last blocks, so that they are sent again at the start',
    default: 'false',
  },
  {
    name: 'CHAIN_OUTSIDER',
    meaning:
      'rpc, in the sandbox: anvil where the first node of each chain is an anvil of this sandbox, so that POST /api/v1/sandbox/deposits sends tokens from outside; none otherwise',
    default: 'none',
  },
  {
    name: 'CHAIN_MAX_FEE_GWEI',
    meaning:
      'the most that is offered for a unit of gas, also when fees are raised; the key store signs no more than 1000',
    default: '1000',
  },
  {
    name: 'CHAIN_RAISE_FEE_MS',
    meaning: 'how long a signed transaction waits unmined before its fees are raised by an eighth or more',
    default: '120000',
  },
  {
    name: 'MOVEMENTS_RECONCILE_MS',
    meaning: 'between two reconciliations of ledger, token supply and wallets',
    default: '900000',
  },
  {
    name: 'MOVEMENTS_LIQUIDITY_MS',
    meaning:
      'for how long an order waits for a treasury that holds too little, before it is rolled back with liquidity-unavailable',
    default: '1800000',
  },
  { name: 'MOVEMENTS_POLL_MS', meaning: 'between two rounds over everything that is unfinished', default: '5000' },
];
