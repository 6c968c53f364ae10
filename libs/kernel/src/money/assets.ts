/** The assets of the API, in the order in which the specification lists them. */
export const ASSET_IDS = [
  'tempo/brlv',
  'eth-base/brlv',
  'eth-mainnet/brlv',
  'fiat/brl',
  'eth-base/usdt',
  'fiat/usd',
  'eth-mainnet/usdt',
  'eth-mainnet/usdc',
  'eth-base/wbrly',
  'eth-base/usdc',
  'eth-base/brly',
] as const;

export type AssetId = (typeof ASSET_IDS)[number];

export const CHAINS = ['eth-mainnet', 'eth-base', 'tempo'] as const;

export type Chain = (typeof CHAINS)[number];

/** The name of a currency or token, independent of its chain. Rates are between symbols. */
export type AssetSymbol = 'BRL' | 'USD' | 'BRLV' | 'wBRLY' | 'BRLY' | 'USDC' | 'USDT';

interface Asset {
  readonly id: AssetId;
  readonly symbol: AssetSymbol;
  readonly kind: 'fiat' | 'token';
  /** Absent for fiat. */
  readonly chain?: Chain;
  /** Number of decimals of an amount in the API, in events and in the books. */
  readonly scale: number;
  /** Number of decimals in the token's contract, which may be lower than in the API. Absent for fiat. */
  readonly onChainDecimals?: number;
}

const fiat = (id: AssetId, symbol: AssetSymbol): Asset => ({ id, symbol, kind: 'fiat', scale: 2 });

const token = (
  id: AssetId,
  symbol: AssetSymbol,
  chain: Chain,
  scale: number,
  onChainDecimals: number = scale,
): Asset => ({ id, symbol, kind: 'token', chain, scale, onChainDecimals });

const ASSETS: Readonly<Record<AssetId, Asset>> = {
  // A TIP-20 token has 6 decimals on chain; the API shows 18.
  'tempo/brlv': token('tempo/brlv', 'BRLV', 'tempo', 18, 6),
  'eth-base/brlv': token('eth-base/brlv', 'BRLV', 'eth-base', 18),
  'eth-mainnet/brlv': token('eth-mainnet/brlv', 'BRLV', 'eth-mainnet', 18),
  'fiat/brl': fiat('fiat/brl', 'BRL'),
  'eth-base/usdt': token('eth-base/usdt', 'USDT', 'eth-base', 6),
  'fiat/usd': fiat('fiat/usd', 'USD'),
  'eth-mainnet/usdt': token('eth-mainnet/usdt', 'USDT', 'eth-mainnet', 6),
  'eth-mainnet/usdc': token('eth-mainnet/usdc', 'USDC', 'eth-mainnet', 6),
  'eth-base/wbrly': token('eth-base/wbrly', 'wBRLY', 'eth-base', 18),
  'eth-base/usdc': token('eth-base/usdc', 'USDC', 'eth-base', 6),
  'eth-base/brly': token('eth-base/brly', 'BRLY', 'eth-base', 18),
};

const KNOWN_IDS: ReadonlySet<unknown> = new Set(ASSET_IDS);

const shortName = (id: AssetId): string => ASSETS[id].symbol.toLowerCase();

// A map instead of an object: the key comes from a URL, and `constructor` must not be found.
const IDS_BY_SHORT_NAME: ReadonlyMap<string, readonly AssetId[]> = new Map(
  ASSET_IDS.map((id) => [shortName(id), ASSET_IDS.filter((other) => shortName(other) === shortName(id))]),
);

const CHAIN_IDS = { 'eth-mainnet': 1, 'eth-base': 8453, tempo: 4217 } as const satisfies Record<Chain, number>;

export function isAssetId(x: unknown): x is AssetId {
  return KNOWN_IDS.has(x);
}

export function assetOf(id: AssetId): Asset {
  return ASSETS[id];
}

/** The assets with the short name used in paths (`usdc`, `brl`); undefined if there are none. */
export function assetsBySymbol(short: string): AssetId[] | undefined {
  const ids = IDS_BY_SHORT_NAME.get(short);
  return ids === undefined ? undefined : [...ids];
}

/** The short names of the assets, as used in paths. */
export const ASSET_SHORT_NAMES: readonly string[] = [...IDS_BY_SHORT_NAME.keys()].sort();

/** The EIP-155 id of a chain. */
export function chainIdOf(chain: Chain): 1 | 8453 | 4217 {
  return CHAIN_IDS[chain];
}

export function isToken(id: AssetId): boolean {
  return ASSETS[id].kind === 'token';
}
