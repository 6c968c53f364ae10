import defaultRules from '../../../../pricing/src/default-rules.json';
import type { Json } from './client';

export const FX = {
  ...{ 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/usdc', 'source-amount': '1000.00' },
  'trade-reason': 'transfer-between-same-entity-accounts',
};
export const DRY_RUN = { prefer: 'dry-run' };
export const WIDER = {
  ...defaultRules,
  version: { id: 'wider', 'valid-from': '2026-01-01T00:00:00.000Z', 'valid-to': null },
  spreads: defaultRules.spreads.map((row) => ({ ...row, bps: 160 })),
};
export const WRONG = { ...defaultRules, spreads: [{ ...defaultRules.spreads[0], bps: -80 }] };

export interface Explained {
  readonly quote: Json & { readonly id: string };
  readonly explanation: Json & { readonly 'rules-version': string };
  readonly jws: string;
}
export interface Rules {
  readonly 'in-force': { readonly version: string; readonly tables: object };
  readonly history: readonly { readonly version: string }[];
}
export interface Backtest {
  readonly backtest: {
    readonly quotes: number;
    readonly changed: number;
    readonly items: readonly { 'quote-id': string }[];
  };
}
