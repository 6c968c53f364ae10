import type { AssetId } from '@ponte/kernel';
import { Money, isAssetId, isToken } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';

/** The subject of a limit: a token, or the number of reward certificates. */
export type LimitedAsset = AssetId | 'certificate';

/** The movement that a call to one of our contracts would make. */
export interface DecodedCall {
  readonly chainId: number;
  /** Lower-case. Each contract has its own list of the references that it has accepted. */
  readonly contract: Hex;
  /** 32 bytes. The contract accepts it once. */
  readonly reference: Hex;
  readonly asset: LimitedAsset;
  /** Units of the token's contract; 1 for a certificate. */
  readonly units: bigint;
}

/** Units of the token's contract. */
export interface AssetLimits {
  /** At most `perHour`. */
  readonly perTransaction: bigint;
  readonly perHour: bigint;
}

/**
 * The policy refuses the signature. Nothing was signed, and the same request will be refused again, except for rule
 * `hourly`.
 */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused';
  constructor(
    readonly rule: 'key' | 'chain' | 'contract' | 'function' | 'value' | 'token' | 'amount' | 'hourly',
    message: string,
  ) {
    super(`not signed: ${message}`);
  }
}

export const HOUR_MS = 3_600_000;

interface Counted {
  readonly at: number;
  readonly units: bigint;
}

/** The amounts signed for one asset within the last hour, oldest first, and their sum. */
interface Hour {
  /** By contract and reference. */
  readonly counted: Map<string, Counted>;
  sum: bigint;
}

/**
 * Counts what is signed per asset within the last hour. A reference counts once per contract, even if its call is
 * signed again with another nonce or a higher fee: the contract accepts it once.
 */
export class HourlyLimits {
  private readonly hours = new Map<LimitedAsset, Hour>();

  constructor(
    private readonly limits: (asset: LimitedAsset) => AssetLimits,
    private readonly now: () => number,
  ) {}

  /**
   * Reserves the amount, or throws {@link SigningRefused} and reserves nothing when it is too much. A transaction that
   * has a nonce already (`isNumbered`) was allowed before, and would block all later ones of its key. It may use a
   * second hourly limit: no more than one can have been allowed and not signed yet.
   */
  take(call: DecodedCall, isNumbered = false): void {
    const { asset, units } = call;
    const { perTransaction, perHour } = this.limits(asset);
    if (units > perTransaction) throw new SigningRefused('amount', `more of ${asset} than allowed per transaction`);
    const hour = this.hourOf(asset);
    const more = units - unitsIn(hour, call);
    if (more <= 0n) return;
    const most = isNumbered ? 2n * perHour : perHour;
    if (hour.sum + more > most) throw new SigningRefused('hourly', `more of ${asset} than allowed per hour`);
    add(hour, call, this.now());
  }

  /**
   * Counts what was signed `ageMs` ago by another process, or by this one before its last start, even if that is too
   * much. It may be released a little late, together with what was counted before it.
   */
  count(call: DecodedCall, ageMs: number): void {
    const hour = this.hourOf(call.asset);
    if (ageMs < HOUR_MS && call.units > unitsIn(hour, call)) add(hour, call, this.now() - ageMs);
  }

  private hourOf(asset: LimitedAsset): Hour {
    const hour = this.hours.get(asset) ?? { counted: new Map<string, Counted>(), sum: 0n };
    this.hours.set(asset, hour);
    const oldest = this.now() - HOUR_MS;
    for (const [call, { at, units }] of hour.counted) {
      if (at > oldest) break;
      hour.counted.delete(call);
      hour.sum -= units;
    }
    return hour;
  }
}

const nameOf = ({ chainId, contract, reference }: DecodedCall): string => `${chainId} ${contract} ${reference}`;

const unitsIn = ({ counted }: Hour, call: DecodedCall): bigint => counted.get(nameOf(call))?.units ?? 0n;

function add(hour: Hour, call: DecodedCall, at: number): void {
  hour.sum += call.units - unitsIn(hour, call);
  // Deleted first, so that the entry moves to the end: the map stays in the order of time.
  hour.counted.delete(nameOf(call));
  hour.counted.set(nameOf(call), { at, units: call.units });
}

/** Whole tokens or certificates, as decimal strings. Other assets have the default. */
export type SignerLimits = Readonly<
  Partial<Record<LimitedAsset, { readonly transaction: string; readonly hour: string }>>
>;

/** The largest order, and ten such orders. */
export const DEFAULT_LIMITS = { transaction: '10000000', hour: '100000000' } as const;
/** For certificates that are minted or moved. */
export const DEFAULT_CERTIFICATE_LIMITS = { transaction: '1', hour: '10000' } as const;

/** Parses SIGNER_LIMITS. Throws an Error that names the invalid asset. */
export function parseSignerLimits(text: string): SignerLimits {
  const limits = JSON.parse(text) as Record<string, { transaction?: unknown; hour?: unknown }>;
  for (const [asset, limit] of Object.entries(limits)) {
    const isKnown = asset === 'certificate' || (isAssetId(asset) && isToken(asset));
    const valid = isKnown && typeof limit.transaction === 'string' && typeof limit.hour === 'string';
    if (!valid) throw new Error(`${asset} must be a token with the decimal strings transaction and hour`);
    if (asset === 'certificate') {
      for (const count of [limit.transaction, limit.hour])
        if (!/^\d{1,9}$/.test(count as string))
          throw new Error('certificate must have whole numbers as transaction and hour');
      continue;
    }
    for (const amount of [limit.transaction, limit.hour]) Money.parse(asset as AssetId, amount as string);
  }
  return limits as SignerLimits;
}
