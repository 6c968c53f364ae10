import type { Setting } from '@ponte/kernel';

/** The environment variables of the service. */
export const MOVEMENTS_SETTINGS: readonly Setting[] = [
  {
    name: 'MOVEMENTS_CHAINS',
    meaning: 'local (an anvil for each chain), simulated (in memory, for benchmarks) or rpc, which production must set',
    default: 'local',
  },
  {
    name: 'CHAIN_BLOCK_MS',
    meaning: 'local: interval between two blocks while transactions are pending',
    default: '1000',
  },
  {
    name: 'CHAIN_FINAL_AFTER',
    meaning: 'local: confirmations after which a block is final (1 is the block itself); deposits are credited then',
    default: '1',
  },
  {
    name: 'OPERATOR_KEYS',
    meaning: 'number of keys that mint and move tokens on each chain; each key has its own nonces and gas',
    default: '1',
  },
  {
    name: 'SIGNER_LIMITS',
    meaning:
      'JSON: the most whole tokens that operator keys sign for per transaction and per hour, {"eth-base/brlv":{"transaction":"10000000","hour":"100000000"}}; these two are the defaults for each asset. "certificate" counts reward certificates, by default 1 and 10000. A movement above the limit for a transaction or a whole hour is refused or fails for good; raising the limit does not revive it. The hour includes what all processes have signed',
    default: '{}',
  },
  {
    name: 'MOVEMENTS_MINIMUM_AMOUNTS',
    meaning:
      'the least that an account may transfer or withdraw of a token: comma-separated `asset=amount`; a token that is not listed has 1, on eth-mainnet 10. A withdrawal may also take the whole available balance from 1 on',
    default: '',
  },
  {
    name: 'MOVEMENTS_TRANSFERS_PER_DAY',
    meaning:
      'how many transfers of tokens and reward certificates an account may make per day (São Paulo time), including those that fail',
    default: '1000',
  },
  {
    name: 'KEYSTORE',
    meaning: 'where the operator keys are stored: file (the encrypted keystore in the data folder) or aws-kms',
    default: 'file',
  },
  {
    name: 'KEYSTORE_PASSPHRASE',
    meaning: 'file: opens the encrypted keystore; production has no default',
    default: 'that of the sandbox',
  },
  {
    name: 'KEYSTORE_KMS_ALIAS_PREFIX',
    meaning:
      'aws-kms: prefix of the alias of each key, so that the first key is alias/ponte/operator; region, credentials and endpoint are set as for any AWS SDK',
    default: 'alias/ponte/',
  },
  {
    name: 'FORMER_KEYSTORE',
    meaning:
      'where the former operator keys are, while they end the transactions that name them: none, file (former-keystore.json in the data folder) or aws-kms',
    default: 'none',
  },
  {
    name: 'FORMER_KEYSTORE_PASSPHRASE',
    meaning: 'file: opens the former keystore; production has no default',
    default: 'that of the sandbox',
  },
  {
    name: 'FORMER_KEYSTORE_KMS_ALIAS_PREFIX',
    meaning: 'aws-kms: prefix of the alias of each former key',
    default: '',
  },
  {
    name: 'FORMER_OPERATOR_KEYS',
    meaning: 'number of keys in the former keystore',
    default: '1',
  },
  {
    name: 'FORMER_KEYSTORE_2',
    meaning:
      'a second former keystore, for when keys are replaced again before the first one is drained: none, file (former-keystore-2.json) or aws-kms',
    default: 'none',
  },
  {
    name: 'FORMER_KEYSTORE_2_PASSPHRASE',
    meaning: 'file: opens the second former keystore; production has no default',
    default: 'that of the sandbox',
  },
  {
    name: 'FORMER_KEYSTORE_2_KMS_ALIAS_PREFIX',
    meaning: 'aws-kms: prefix of the alias of each key of the second former keystore',
    default: '',
  },
  {
    name: 'FORMER_OPERATOR_KEYS_2',
    meaning: 'number of keys in the second former keystore',
    default: '1',
  },
  {
    name: 'FORMER_KEYSTORE_3',
    meaning:
      'a third former keystore, for when keys are replaced again before the first two are drained: none, file (former-keystore-3.json) or aws-kms',
    default: 'none',
  },
  {
    name: 'FORMER_KEYSTORE_3_PASSPHRASE',
    meaning: 'file: opens the third former keystore; production has no default',
    default: 'that of the sandbox',
  },
  {
    name: 'FORMER_KEYSTORE_3_KMS_ALIAS_PREFIX',
    meaning: 'aws-kms: prefix of the alias of each key of the third former keystore',
    default: '',
  },
  {
    name: 'FORMER_OPERATOR_KEYS_3',
    meaning: 'number of keys in the third former keystore',
    default: '1',
  },
  {
    name: 'CHAIN_RPC_<CHAIN>',
    meaning:
      'rpc: comma-separated JSON-RPC URLs of ETH_MAINNET, ETH_BASE and TEMPO; reads use the first that answers (one that is behind comes last), signed transactions go to all, so each must accept eth_sendRawTransaction, and two must agree before money is returned or BRL is credited for tokens',
    default: '',
  },
  {
    name: 'CHAIN_DEPLOYMENT_<CHAIN>',
    meaning:
      'rpc: JSON with the addresses of our contracts, {"minter":"0x…","custody":"0x…","tokens":{"eth-base/brlv":' +
      '"0x…"}}; for ETH_BASE also "certificates", without which no reward certificates can be issued',
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
      'rpc, in the sandbox: true if a test chain may lose its last blocks; their transactions are sent again at the start',
    default: 'false',
  },
  {
    name: 'CHAIN_OUTSIDER',
    meaning:
      'rpc, in the sandbox: anvil if the first node of each chain is an anvil of this sandbox, so that POST /api/v1/sandbox/deposits can send tokens from outside; otherwise none',
    default: 'none',
  },
  {
    name: 'CHAIN_MAX_FEE_GWEI',
    meaning: 'the highest fee offered for a unit of gas, even when fees are raised; the keystore signs at most 1000',
    default: '1000',
  },
  {
    name: 'CHAIN_MAX_FEE_GWEI_<CHAIN>',
    meaning: 'the same for one chain, instead of CHAIN_MAX_FEE_GWEI',
    default: 'CHAIN_MAX_FEE_GWEI, on ETH_BASE at most 100',
  },
  {
    name: 'CHAIN_MAX_TIP_GWEI_<CHAIN>',
    meaning:
      'the highest tip taken over from the nodes for a unit of gas; raising the fees of a waiting transaction also raises its tip by an eighth, and may exceed this',
    default: '5, on ETH_BASE 1',
  },
  {
    name: 'CHAIN_MAX_TRANSACTION_FEE_GWEI_<CHAIN>',
    meaning:
      'the highest fee offered for the whole gas limit of a transaction; lower than the fee limit of every node in CHAIN_RPC_<CHAIN>, which is often 1 coin (1000000000)',
    default: '950000000',
  },
  {
    name: 'CHAIN_RAISE_FEE_MS',
    meaning:
      'how long a signed transaction waits unmined before its fees are raised by an eighth or more, if the chain has mined a block since',
    default: '120000',
  },
  {
    name: 'MOVEMENTS_RECONCILE_MS',
    meaning: 'interval between two reconciliations of ledger, token supply and wallets',
    default: '900000',
  },
  {
    name: 'MOVEMENTS_LIQUIDITY_MS',
    meaning:
      'how long an order waits for a treasury that has too little before it is rolled back with liquidity-unavailable',
    default: '1800000',
  },
  {
    name: 'MOVEMENTS_POLL_MS',
    meaning: 'interval between two rounds over all unfinished transactions',
    default: '5000',
  },
];
