export interface RulesVersion {
  version: string;
  id: string | null;
  'valid-from': string | null;
  'valid-to': string | null;
}
export interface RulesAdoption extends RulesVersion {
  'adopted-at': string;
}
export type RuleRow = Record<string, unknown> & { 'valid-from'?: string | null; 'valid-to'?: string | null };
export interface AdoptedRules extends RulesAdoption {
  tables: Record<string, RuleRow[]>;
}
export interface RulesCheck extends RulesVersion {
  violations: { path: string; message: string }[];
}
export interface Amount {
  amount: string;
  asset: string;
}
/** A quote of any account, and how its price was computed. */
export interface ExplainedQuote {
  state: string;
  quote: {
    id: string;
    'source-asset': string;
    'target-asset': string;
    'source-amount': string;
    'target-amount': string;
    'created-at': string;
    'expires-at': string;
    'off-market-pricing': boolean;
    pricing: { spread: Amount & { bps: number }; fee: Amount; iof: Amount };
  };
  explanation: {
    'given-side': 'source' | 'target';
    'given-amount': string;
    'reference-missing': boolean;
    'rules-version': string | null;
    rates: { of: string; readings: object[] }[];
    steps: object[];
    rules: object[];
  };
}
export interface RepricedTerms {
  'source-amount': string;
  'target-amount': string;
  spread: string;
  fee: string;
  iof: string;
}
export interface RepricedQuote {
  'quote-id': string;
  'created-at': string;
  'source-asset': string;
  'target-asset': string;
  old: RepricedTerms;
  proposed: RepricedTerms | null;
  refusal: string | null;
  'refusal-message': string | null;
  changed: boolean;
  difference: string | null;
  'difference-bps': number | null;
}
export interface ChargeTotals {
  source: string;
  target: string;
  spread: string;
  fee: string;
  iof: string;
}
export interface Backtest {
  at: string;
  quotes: number;
  changed: number;
  refused: number;
  pairs: { 'source-asset': string; 'target-asset': string; old: ChargeTotals; proposed: ChargeTotals }[];
  items: RepricedQuote[];
}
