import { ASSET_IDS, type AssetId, type Chain, assetOf, isAssetId, parseEvmAddress, refuse } from '@ponte/kernel';
import type { Hex } from '../chain.port';
import { implementationOf } from './custody';

/** Where Ponte's contracts are on one chain. */
export interface Deployment {
  readonly chain: Chain;
  readonly minter: Hex;
  /** Deploys and moves the wallets of customers. */
  readonly custody: Hex;
  /** The contract of the reward certificates, only on eth-base. Absent where no certificates are issued. */
  readonly certificates?: Hex;
  readonly tokens: Readonly<Partial<Record<AssetId, Hex>>>;
}

/** How a token is issued: minted by us, as a share of a vault that wraps a token we mint, or by another company. */
type Issue = 'minted' | 'share' | 'foreign';

/** How the asset is issued. Refuses `asset-not-supported` for money that is not a token. */
export function issueOf(asset: AssetId): Issue {
  const { symbol } = assetOf(asset);
  switch (symbol) {
    case 'BRLV':
    case 'BRLY':
      return 'minted';
    case 'wBRLY':
      return 'share';
    case 'USDC':
    case 'USDT':
      return 'foreign';
    case 'BRL':
    case 'USD':
      return refuse('asset-not-supported', `${asset} is not a token`, 'asset');
  }
}

export function tokensOn(chain: Chain): AssetId[] {
  return ASSET_IDS.filter((asset) => assetOf(asset).chain === chain);
}

/** The contract of a token. Refuses `asset-not-supported` if the deployment does not have it. */
export function contractOf(deployment: Deployment, asset: AssetId): Hex {
  return (
    deployment.tokens[asset] ??
    refuse('asset-not-supported', `${asset} has no contract on ${deployment.chain}`, 'asset')
  );
}

const OBJECT = 'must be a JSON object';
const CONTRACT =
  'must be the address of a contract: 0x and 40 hexadecimal digits, not all zero, ' +
  'all lower case, all upper case, or with an EIP-55 checksum';

/**
 * Reads a deployment from configuration: {"minter": "0x…", "custody": "0x…", "certificates": "0x…", "tokens":
 * {"eth-base/brlv": "0x…"}}. Throws an Error that names the chain and the invalid field, because money sent to a wrong
 * address is lost.
 */
export function parseDeployment(chain: Chain, json: unknown): Deployment {
  const fault = (field: string, finding: string): never => {
    throw new Error(`deployment on ${chain}: ${field} ${finding}`);
  };
  const address = (field: string, value: unknown): Hex => {
    const parsed = typeof value === 'string' ? parseEvmAddress(value) : undefined;
    return parsed?.ok === true ? parsed.address : fault(field, CONTRACT);
  };
  if (typeof json !== 'object' || json === null) return fault('the document', OBJECT);
  const { minter, custody, tokens, certificates } = json as Readonly<Record<string, unknown>>;
  if (typeof tokens !== 'object' || tokens === null) return fault('tokens', OBJECT);
  const entries = Object.entries(tokens).map(([asset, value]): [AssetId, Hex] =>
    isAssetId(asset) && assetOf(asset).chain === chain
      ? [asset, address(asset, value)]
      : fault(asset, `is not a token on ${chain}; use one of ${tokensOn(chain).join(', ')}`),
  );
  return {
    chain,
    minter: address('minter', minter),
    custody: address('custody', custody),
    tokens: Object.fromEntries(entries),
    ...(certificates === undefined ? {} : { certificates: address('certificates', certificates) }),
  };
}

/** All of our contracts, including the implementation of the wallets, and every known token on the chain. */
export const contractsIn = ({ minter, custody, tokens, certificates }: Deployment): ReadonlySet<Hex> =>
  new Set([
    minter,
    custody,
    implementationOf(custody),
    ...Object.values(tokens),
    ...(certificates === undefined ? [] : [certificates]),
  ]);
