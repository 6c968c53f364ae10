import type { QuoteRecord, Timestamp } from '@ponte/contracts';
import { addSeconds, fromIso, refuse } from '@ponte/kernel';
import { rulesOf } from './acceptance.domain';

export interface BrcodeWindows {
  /** Seconds from the acceptance in which a same-currency order may be paid. */
  readonly brcodeSeconds: number;
  /** Seconds from the acceptance in which an FX order may be paid, unless its rate lock ends before. */
  readonly fxBrcodeSeconds: number;
  /** An FX order is refused when fewer seconds than this are left to pay it. */
  readonly minimumBrcodeSeconds: number;
}

/**
 * Until when the brcode of an order may be paid. An FX order locks its rate at the acceptance, so the window is short:
 * it ends with the rate lock of its quote, if that is earlier. Refuses `brcode-window-too-short`.
 */
export function brcodeExpiration(quote: QuoteRecord, at: Timestamp, windows: BrcodeWindows): Timestamp {
  if (rulesOf(quote.sourceAsset, quote.targetAsset).conversion !== 'fx') return addSeconds(at, windows.brcodeSeconds);
  const latest = addSeconds(at, windows.fxBrcodeSeconds);
  const expiration = quote.rateLock !== null && quote.expiresAt < latest ? quote.expiresAt : latest;
  if (fromIso(expiration) - fromIso(at) < windows.minimumBrcodeSeconds * 1_000) {
    refuse(
      'brcode-window-too-short',
      `a brcode needs at least ${windows.minimumBrcodeSeconds} s to be paid; the rate lock ends before`,
      'quote-id',
    );
  }
  return expiration;
}
