import type { QuoteRecord, Timestamp } from '@ponte/contracts';
import { addSeconds, fromIso, refuse } from '@ponte/kernel';
import { rulesOf } from './acceptance.domain';

export interface BrcodeWindows {
  /** Seconds after the acceptance during which a same-currency order can be paid. */
  readonly brcodeSeconds: number;
  /** Seconds after the acceptance during which an FX order can be paid, unless its rate lock ends earlier. */
  readonly fxBrcodeSeconds: number;
  /**
   * An FX order is refused when fewer seconds than this remain to pay it. A charge of an earlier attempt with less time
   * left is not used.
   */
  readonly minimumBrcodeSeconds: number;
}

/**
 * The time until which the brcode of an order can be paid. An FX order locks its rate at acceptance, so its window is
 * short and ends no later than the rate lock of its quote. Refuses `brcode-window-too-short`.
 */
export function brcodeExpiration(quote: QuoteRecord, at: Timestamp, windows: BrcodeWindows): Timestamp {
  if (rulesOf(quote.sourceAsset, quote.targetAsset).conversion !== 'fx') return addSeconds(at, windows.brcodeSeconds);
  const latest = addSeconds(at, windows.fxBrcodeSeconds);
  const expiration = quote.rateLock !== null && quote.expiresAt < latest ? quote.expiresAt : latest;
  if (!isPayable(expiration, at, windows)) {
    refuse(
      'brcode-window-too-short',
      `the rate lock of the quote must last at least another ${windows.minimumBrcodeSeconds} s to pay by brcode`,
      'quote-id',
    );
  }
  return expiration;
}

/** Whether enough time is left to pay a charge with this expiration. */
export const isPayable = (
  expiration: Timestamp,
  at: Timestamp,
  { minimumBrcodeSeconds }: Pick<BrcodeWindows, 'minimumBrcodeSeconds'>,
): boolean => fromIso(expiration) - fromIso(at) >= minimumBrcodeSeconds * 1_000;
