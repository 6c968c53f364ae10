import type { Chain, Variables } from '@ponte/kernel';
import { CHAINS, readEach, SettingsReader } from '@ponte/kernel';
import type { Environment, ServiceSettings } from '@ponte/nest';
import type { ChainsSettings, FormerKeysSettings, KeystoreSettings, RpcSettings } from './chain/chains-settings.port';
import { FORMER_KEYSTORES, MAX_OPERATOR_KEYS } from './movements-settings.port';
import { MOVEMENTS_SETTINGS } from './movements-variables.config';
import type { FeeLimits } from './sending/fees';
import type { MinimumAmounts } from './token-movement/minimum-amounts.domain';
import { parseMinimumAmounts } from './token-movement/minimum-amounts.domain';
import type { SignerLimits } from './signer-policy/signing-policy';
import { parseSignerLimits } from './signer-policy/signing-policy';

export interface MovementsConfig {
  readonly chains: ChainsSettings;
  readonly keystore: KeystoreSettings;
  /** Keys that were replaced, while transactions that name them are unfinished. */
  readonly formerKeys?: readonly FormerKeysSettings[];
  readonly signerLimits: SignerLimits;
  /** How many keys mint and move tokens. */
  readonly operatorKeys: number;
  readonly pollMs: number;
  readonly minimumAmounts?: MinimumAmounts;
  readonly transfersPerDay?: number;
  readonly feeLimits?: Readonly<Record<Chain, FeeLimits>>;
  readonly raiseFeeMs?: number;
  readonly reconcileMs?: number;
  readonly ledgerLagMs?: number;
  readonly liquidityMs?: number;
  readonly screenAgainMs?: number;
}

/** Defaults. */
const MAX_FEE_GWEI: Readonly<Record<Chain, number>> = { 'eth-mainnet': 1_000, 'eth-base': 100, tempo: 1_000 };
const MAX_TIP_GWEI: Readonly<Record<Chain, number>> = { 'eth-mainnet': 5, 'eth-base': 1, tempo: 5 };
export const RAISE_FEE_MS = 120_000;
export const RECONCILE_MS = 900_000;
/** A reader that is 5 s behind reports it within a second, and again when it resumes after its process was replaced. */
export const LEDGER_LAG_MS = 15_000;
/** 30 minutes. */
export const LIQUIDITY_MS = 1_800_000;

export const TRANSFERS_PER_DAY = 1_000;
/** As often as the sanctions lists are read. */
export const SCREEN_AGAIN_MS = 60_000;

/** Protects nothing: the sandbox's keys own only test tokens. */
const SANDBOX_PASSPHRASE = 'ponte-sandbox';
/** Defaults by the finality of each chain (docs/spec/chains.md). */
const CONFIRMATIONS: Readonly<Record<Chain, number>> = { 'eth-mainnet': 12, 'eth-base': 12, tempo: 1 };

const WEI_PER_GWEI = 1_000_000_000n;

/** Reads the environment. Throws an Error with the name of the invalid variable, never with its content. */
export function readMovementsConfig(env: Variables, environment: Environment): MovementsConfig {
  const settings = new SettingsReader(MOVEMENTS_SETTINGS, env);
  return readEach({
    keystore: () => keystoreOf(settings, environment, settings.oneOf('KEYSTORE', ['file', 'aws-kms']), 'KEYSTORE'),
    formerKeys: () => formerKeysOf(settings, environment),
    chains: () => chainsOf(settings, environment),
    signerLimits: () => limitsOf(settings),
    operatorKeys: () => settings.wholeNumber('OPERATOR_KEYS', 1, MAX_OPERATOR_KEYS),
    pollMs: () => settings.wholeNumber('MOVEMENTS_POLL_MS', 10, 3_600_000),
    minimumAmounts: () => minimumAmountsOf(settings),
    transfersPerDay: () => settings.wholeNumber('MOVEMENTS_TRANSFERS_PER_DAY', 1, 1_000_000),
    feeLimits: () => feeLimitsOf(settings),
    reconcileMs: () => settings.wholeNumber('MOVEMENTS_RECONCILE_MS', 100, 86_400_000),
    liquidityMs: () => settings.wholeNumber('MOVEMENTS_LIQUIDITY_MS', 100, 86_400_000),
    raiseFeeMs: () => settings.wholeNumber('CHAIN_RAISE_FEE_MS', 100, 86_400_000),
  });
}

/** The highest fee of a chain without its own variable is that of all chains, or its default if that is lower. */
function feeLimitsOf(settings: SettingsReader): Readonly<Record<Chain, FeeLimits>> {
  const ofAll = settings.wholeNumber('CHAIN_MAX_FEE_GWEI', 1, 1_000);
  const of = (chain: Chain): FeeLimits => {
    const gwei = (name: string, min: number, max: number, otherwise?: number): bigint =>
      BigInt(settings.wholeNumber(`${name}_${suffixOf(chain)}`, min, max, otherwise)) * WEI_PER_GWEI;
    return {
      maxFeePerGas: gwei('CHAIN_MAX_FEE_GWEI', 1, 1_000, Math.min(ofAll, MAX_FEE_GWEI[chain])),
      maxPriorityFeePerGas: gwei('CHAIN_MAX_TIP_GWEI', 1, 1_000, MAX_TIP_GWEI[chain]),
      maxFee: gwei('CHAIN_MAX_TRANSACTION_FEE_GWEI', 1_000_000, 1_000_000_000_000),
    };
  };
  return { 'eth-mainnet': of('eth-mainnet'), 'eth-base': of('eth-base'), tempo: of('tempo') };
}

export const FEE_LIMITS = feeLimitsOf(new SettingsReader(MOVEMENTS_SETTINGS, {}));

type FormerName = `FORMER_KEYSTORE${'' | '_2' | '_3'}`;

function keystoreOf(
  settings: SettingsReader,
  environment: Environment,
  kind: KeystoreSettings['kind'],
  prefix: 'KEYSTORE' | FormerName,
): KeystoreSettings {
  switch (kind) {
    case 'file': {
      const passphrase =
        environment === 'sandbox'
          ? settings.text(`${prefix}_PASSPHRASE`, SANDBOX_PASSPHRASE)
          : settings.required(`${prefix}_PASSPHRASE`, 'in production');
      return { kind, passphrase };
    }
    case 'aws-kms': {
      const aliasPrefix = settings.text(`${prefix}_KMS_ALIAS_PREFIX`);
      if (!/^alias\/(?!aws\/)[\w/-]+$/.test(aliasPrefix)) {
        throw new Error(
          `${prefix}_KMS_ALIAS_PREFIX must start with "alias/" and contain only letters, digits, "_", "/" and "-"`,
        );
      }
      return { kind, aliasPrefix };
    }
  }
}

/** The former keystores are independent: each can be removed while the others stay. */
function formerKeysOf(settings: SettingsReader, environment: Environment): FormerKeysSettings[] {
  return FORMER_KEYSTORES.flatMap((number) => {
    const suffix = number === 1 ? '' : (`_${number}` as const);
    const name: FormerName = `FORMER_KEYSTORE${suffix}`;
    const kind = settings.oneOf(name, ['none', 'file', 'aws-kms']);
    if (kind === 'none') return [];
    const keystore = keystoreOf(settings, environment, kind, name);
    return [{ number, keystore, count: settings.wholeNumber(`FORMER_OPERATOR_KEYS${suffix}`, 1, MAX_OPERATOR_KEYS) }];
  });
}

function chainsOf(settings: SettingsReader, environment: Environment): ChainsSettings {
  if (environment === 'production') settings.required('MOVEMENTS_CHAINS', 'in production');
  const kind = settings.oneOf('MOVEMENTS_CHAINS', ['local', 'simulated', 'rpc']);
  if (environment === 'production' && kind !== 'rpc') throw new Error('MOVEMENTS_CHAINS must be rpc in production');
  switch (kind) {
    case 'local':
      return { kind, blockMs: settings.wholeNumber('CHAIN_BLOCK_MS', 5, 60_000), finalAfter: finalAfterOf(settings) };
    case 'simulated':
      return { kind };
    case 'rpc':
      return readEach({
        kind: () => kind,
        chains: () =>
          Object.values(readEach(Object.fromEntries(CHAINS.map((chain) => [chain, rpcOf(settings, chain)])))),
        forget: () => forgets(settings, environment),
        outsider: () => hasOutsider(settings, environment),
        finalAfter: () => finalAfterOf(settings),
      });
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

function minimumAmountsOf(settings: SettingsReader): MinimumAmounts {
  try {
    return parseMinimumAmounts(settings.list('MOVEMENTS_MINIMUM_AMOUNTS'));
  } catch (error) {
    throw new Error(`MOVEMENTS_MINIMUM_AMOUNTS: ${error instanceof Error ? error.message : 'must be asset=amount'}`);
  }
}

function forgets(settings: SettingsReader, environment: Environment): boolean {
  const value = settings.flag('CHAIN_FORGETS');
  if (value && environment === 'production') throw new Error('CHAIN_FORGETS is for test chains, not for production');
  return value;
}

/** Sandbox only: a node that impersonates accounts can take everything on its chain. */
function hasOutsider(settings: SettingsReader, environment: Environment): boolean {
  const value = settings.oneOf('CHAIN_OUTSIDER', ['none', 'anvil']) === 'anvil';
  if (value && environment === 'production') throw new Error('CHAIN_OUTSIDER is for test chains, not for production');
  return value;
}

function suffixOf(chain: Chain): string {
  return chain.toUpperCase().replaceAll('-', '_');
}

function rpcOf(settings: SettingsReader, chain: Chain): () => RpcSettings {
  const suffix = suffixOf(chain);
  return () =>
    readEach({
      chain: () => chain,
      urls: () => settings.httpUrls(`CHAIN_RPC_${suffix}`),
      deployment: () => settings.json(`CHAIN_DEPLOYMENT_${suffix}`),
      confirmations: () => settings.wholeNumber(`CHAIN_CONFIRMATIONS_${suffix}`, 1, 1_000, CONFIRMATIONS[chain]),
    });
}

/** All settings of movements, for the check at the start of its process. */
export const MOVEMENTS: ServiceSettings = { declared: MOVEMENTS_SETTINGS, read: readMovementsConfig };
