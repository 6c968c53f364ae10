import type { Chain, Setting, Variables } from '@ponte/kernel';
import { CHAINS, SettingsReader } from '@ponte/kernel';
import type { Environment } from '@ponte/nest';
import { MOST_OPERATOR_KEYS } from './movements-settings.port';
import type { SignerLimits } from './signer-policy/signing-policy';
import { parseSignerLimits } from './signer-policy/signing-policy';

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
      'rpc: JSON with the addresses of our contracts, {"minter":"0x…","custody":"0x…","tokens":{"eth-base/brlv":"0x…"}}; of ETH_BASE also "certificates", without which no reward certificate is issued',
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

export interface RpcSettings {
  readonly chain: Chain;
  readonly urls: readonly string[];
  /** JSON, as it was given: the adapter knows how to read it. */
  readonly deployment: unknown;
  readonly confirmations: number;
}

export type ChainsSettings =
  | { readonly kind: 'local'; readonly blockMs: number; readonly finalAfter: number }
  | { readonly kind: 'simulated' }
  | {
      readonly kind: 'rpc';
      readonly chains: readonly RpcSettings[];
      readonly forget: boolean;
      readonly outsider: boolean;
      /** Of the local chains of a sandbox, where {@link outsider} is true. */
      readonly finalAfter: number;
    };

/** Where the operator keys are. */
export type KeyStoreSettings =
  { readonly kind: 'file'; readonly passphrase: string } | { readonly kind: 'aws-kms'; readonly aliasPrefix: string };

export interface MovementsConfig {
  readonly chains: ChainsSettings;
  readonly keyStore: KeyStoreSettings;
  readonly signerLimits: SignerLimits;
  /** How many keys mint and move wallets. */
  readonly operatorKeys: number;
  readonly pollMs: number;
  /** Gwei for each unit of gas. */
  readonly maxFeeGwei?: number;
  readonly raiseFeeMs?: number;
  readonly reconcileMs?: number;
  readonly liquidityMs?: number;
  readonly screenAgainMs?: number;
}

/** What is not said otherwise. */
export const MAX_FEE_GWEI = 1_000;
export const RAISE_FEE_MS = 120_000;
export const RECONCILE_MS = 900_000;
/** 30 minutes. */
export const LIQUIDITY_MS = 1_800_000;

/** The sanctions lists are read again as often. */
export const SCREEN_AGAIN_MS = 60_000;

/** Protects nothing: the sandbox's keys own test tokens alone. */
const SANDBOX_PASSPHRASE = 'ponte-sandbox';
/** By the finality that each chain gives (domain, chains). */
const CONFIRMATIONS: Readonly<Record<Chain, number>> = { 'eth-mainnet': 12, 'eth-base': 12, tempo: 1 };

/** Reads the environment once; a mistake in it stops the start with the variable's name, never with its content. */
export function readMovementsConfig(env: Variables, environment: Environment): MovementsConfig {
  const settings = new SettingsReader(MOVEMENTS_SETTINGS, env);
  return {
    keyStore: keyStoreOf(settings, environment),
    chains: chainsOf(settings, environment),
    signerLimits: limitsOf(settings),
    operatorKeys: settings.wholeNumber('OPERATOR_KEYS', 1, MOST_OPERATOR_KEYS),
    pollMs: settings.wholeNumber('MOVEMENTS_POLL_MS', 10, 3_600_000),
    maxFeeGwei: settings.wholeNumber('CHAIN_MAX_FEE_GWEI', 1, 1_000),
    reconcileMs: settings.wholeNumber('MOVEMENTS_RECONCILE_MS', 100, 86_400_000),
    liquidityMs: settings.wholeNumber('MOVEMENTS_LIQUIDITY_MS', 100, 86_400_000),
    raiseFeeMs: settings.wholeNumber('CHAIN_RAISE_FEE_MS', 100, 86_400_000),
  };
}

function keyStoreOf(settings: SettingsReader, environment: Environment): KeyStoreSettings {
  const kind = settings.oneOf('KEYSTORE', ['file', 'aws-kms']);
  switch (kind) {
    case 'file': {
      const passphrase =
        environment === 'sandbox'
          ? settings.text('KEYSTORE_PASSPHRASE', SANDBOX_PASSPHRASE)
          : settings.required('KEYSTORE_PASSPHRASE', 'in production');
      return { kind, passphrase };
    }
    case 'aws-kms': {
      const aliasPrefix = settings.text('KEYSTORE_KMS_ALIAS_PREFIX');
      if (!/^alias\/(?!aws\/)[\w/-]+$/.test(aliasPrefix)) {
        throw new Error(
          'KEYSTORE_KMS_ALIAS_PREFIX must start with "alias/" and have letters, digits, "_", "/" and "-"',
        );
      }
      return { kind, aliasPrefix };
    }
  }
}

function chainsOf(settings: SettingsReader, environment: Environment): ChainsSettings {
  if (environment === 'production') settings.required('MOVEMENTS_CHAINS', 'in production');
  const kind = settings.oneOf('MOVEMENTS_CHAINS', ['local', 'simulated', 'rpc']);
  switch (kind) {
    case 'local':
      return { kind, blockMs: settings.wholeNumber('CHAIN_BLOCK_MS', 5, 60_000), finalAfter: finalAfterOf(settings) };
    case 'simulated':
      return { kind };
    case 'rpc':
      return {
        kind,
        chains: CHAINS.map((chain) => rpcOf(settings, chain)),
        forget: forgets(settings, environment),
        outsider: hasOutsider(settings, environment),
        finalAfter: finalAfterOf(settings),
      };
  }
}

const finalAfterOf = (settings: SettingsReader): number => settings.wholeNumber('CHAIN_FINAL_AFTER', 1, 64);

function limitsOf(settings: SettingsReader): SignerLimits {
  try {
    return parseSignerLimits(settings.text('SIGNER_LIMITS'));
  } catch (error) {
    throw new Error(`SIGNER_LIMITS: ${error instanceof Error ? error.message : 'must be JSON'}`);
  }
}

function forgets(settings: SettingsReader, environment: Environment): boolean {
  const value = settings.flag('CHAIN_FORGETS');
  if (value && environment === 'production') throw new Error('CHAIN_FORGETS is for test chains, not for production');
  return value;
}

/** A node that impersonates accounts can take everything on its chain, so a real one is never named here. */
function hasOutsider(settings: SettingsReader, environment: Environment): boolean {
  const value = settings.oneOf('CHAIN_OUTSIDER', ['none', 'anvil']) === 'anvil';
  if (value && environment === 'production') throw new Error('CHAIN_OUTSIDER is for test chains, not for production');
  return value;
}

function rpcOf(settings: SettingsReader, chain: Chain): RpcSettings {
  const suffix = chain.toUpperCase().replaceAll('-', '_');
  return {
    chain,
    urls: settings.httpUrls(`CHAIN_RPC_${suffix}`),
    deployment: settings.json(`CHAIN_DEPLOYMENT_${suffix}`),
    confirmations: settings.wholeNumber(`CHAIN_CONFIRMATIONS_${suffix}`, 1, 1_000, CONFIRMATIONS[chain]),
  };
}
