import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import type { Environment, Setting } from '@ponte/nest';
import { MOST_OPERATOR_KEYS } from './ports/settings';
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
    name: 'OPERATOR_KEYS',
    meaning: 'keys that mint and move wallets, on each chain; each has nonces and gas of its own',
    default: '1',
  },
  {
    name: 'SIGNER_LIMITS',
    meaning:
      'JSON: the most whole tokens that operator keys sign for, {"eth-base/brlv":{"transaction":"10000000","hour":"100000000"}}; assets that it does not name have these two. "certificate" counts reward certificates: 1 and 10000',
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
  | { readonly kind: 'local'; readonly blockMs: number }
  | { readonly kind: 'simulated' }
  | {
      readonly kind: 'rpc';
      readonly chains: readonly RpcSettings[];
      readonly forget: boolean;
      readonly outsider: boolean;
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
}

/** What is not said otherwise. */
export const MAX_FEE_GWEI = 1_000;
export const RAISE_FEE_MS = 120_000;
export const RECONCILE_MS = 900_000;
/** 30 minutes. */
export const LIQUIDITY_MS = 1_800_000;

type Env = Readonly<Record<string, string | undefined>>;

/** Protects nothing: the sandbox's keys own test tokens alone. */
const SANDBOX_PASSPHRASE = 'ponte-sandbox';
/** By the finality that each chain gives (domain, chains). */
const CONFIRMATIONS: Readonly<Record<Chain, number>> = { 'eth-mainnet': 12, 'eth-base': 12, tempo: 1 };

/** Reads the environment once; a mistake in it stops the start with the variable's name, never with its content. */
export function readMovementsConfig(env: Env, environment: Environment): MovementsConfig {
  return {
    keyStore: keyStoreOf(env, environment),
    chains: chainsOf(env, environment),
    signerLimits: limitsOf(env),
    operatorKeys: wholeNumber(env, 'OPERATOR_KEYS', 1, 1, MOST_OPERATOR_KEYS),
    pollMs: wholeNumber(env, 'MOVEMENTS_POLL_MS', 5_000, 10, 3_600_000),
    maxFeeGwei: wholeNumber(env, 'CHAIN_MAX_FEE_GWEI', MAX_FEE_GWEI, 1, 1_000),
    reconcileMs: wholeNumber(env, 'MOVEMENTS_RECONCILE_MS', RECONCILE_MS, 100, 86_400_000),
    liquidityMs: wholeNumber(env, 'MOVEMENTS_LIQUIDITY_MS', LIQUIDITY_MS, 100, 86_400_000),
    raiseFeeMs: wholeNumber(env, 'CHAIN_RAISE_FEE_MS', RAISE_FEE_MS, 100, 86_400_000),
  };
}

function keyStoreOf(env: Env, environment: Environment): KeyStoreSettings {
  const kind = env['KEYSTORE'] || 'file';
  switch (kind) {
    case 'file': {
      const passphrase = env['KEYSTORE_PASSPHRASE'] || (environment === 'sandbox' ? SANDBOX_PASSPHRASE : '');
      if (passphrase === '') throw new Error('KEYSTORE_PASSPHRASE must be set in production');
      return { kind, passphrase };
    }
    case 'aws-kms': {
      const aliasPrefix = env['KEYSTORE_KMS_ALIAS_PREFIX'] || 'alias/ponte/';
      if (!/^alias\/(?!aws\/)[\w/-]+$/.test(aliasPrefix)) {
        throw new Error(
          'KEYSTORE_KMS_ALIAS_PREFIX must start with "alias/" and have letters, digits, "_", "/" and "-"',
        );
      }
      return { kind, aliasPrefix };
    }
    default:
      throw new Error('KEYSTORE must be file or aws-kms');
  }
}

function chainsOf(env: Env, environment: Environment): ChainsSettings {
  const kind = env['MOVEMENTS_CHAINS'] || (environment === 'sandbox' ? 'local' : '');
  switch (kind) {
    case 'local':
      return { kind, blockMs: wholeNumber(env, 'CHAIN_BLOCK_MS', 1_000, 5, 60_000) };
    case 'simulated':
      return { kind };
    case 'rpc':
      return {
        kind,
        chains: CHAINS.map((chain) => rpcOf(env, chain)),
        forget: forgets(env, environment),
        outsider: hasOutsider(env, environment),
      };
    default:
      throw new Error('MOVEMENTS_CHAINS is local, simulated or rpc; in production it must be said');
  }
}

function limitsOf(env: Env): SignerLimits {
  try {
    return parseSignerLimits(env['SIGNER_LIMITS'] || '{}');
  } catch (error) {
    throw new Error(`SIGNER_LIMITS: ${error instanceof Error ? error.message : 'is not JSON'}`);
  }
}

function forgets(env: Env, environment: Environment): boolean {
  const value = env['CHAIN_FORGETS'] || 'false';
  if (value !== 'true' && value !== 'false') throw new Error('CHAIN_FORGETS is true or false');
  if (value === 'true' && environment === 'production')
    throw new Error('CHAIN_FORGETS is for test chains, not for production');
  return value === 'true';
}

/** A node that impersonates accounts can take everything on its chain, so a real one is never named here. */
function hasOutsider(env: Env, environment: Environment): boolean {
  const value = env['CHAIN_OUTSIDER'] || 'none';
  if (value !== 'none' && value !== 'anvil') throw new Error('CHAIN_OUTSIDER must be anvil or none');
  if (value === 'anvil' && environment === 'production')
    throw new Error('CHAIN_OUTSIDER is for test chains, not for production');
  return value === 'anvil';
}

function rpcOf(env: Env, chain: Chain): RpcSettings {
  const suffix = chain.toUpperCase().replaceAll('-', '_');
  const urls = (env[`CHAIN_RPC_${suffix}`] ?? '')
    .split(',')
    .map((url) => url.trim())
    .filter((url) => url !== '');
  const valid = urls.length > 0 && urls.every((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol));
  if (!valid) throw new Error(`CHAIN_RPC_${suffix} is not a list of http or https URLs`);
  return {
    chain,
    urls,
    deployment: jsonOf(env, `CHAIN_DEPLOYMENT_${suffix}`),
    confirmations: wholeNumber(env, `CHAIN_CONFIRMATIONS_${suffix}`, CONFIRMATIONS[chain], 1, 1_000),
  };
}

function jsonOf(env: Env, name: string): unknown {
  try {
    return JSON.parse(env[name] ?? '') as unknown;
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}

function wholeNumber(env: Env, name: string, fallback: number, least: number, most: number): number {
  const value = Number(env[name] || fallback);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Error(`${name} is not a whole number from ${least} to ${most}`);
  return value;
}
