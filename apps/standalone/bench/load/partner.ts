import type { SandboxFile } from '../../src/sandbox-file';
import type { Answer, Call, Target } from './load';
import { saturate } from './load';

export type QuoteRequest = Readonly<Record<string, string>>;

const REASON = { 'trade-reason': 'transfer-between-same-entity-accounts' };
export const BUY_BRLV: QuoteRequest = {
  'source-asset': 'fiat/brl',
  'target-asset': 'eth-base/brlv',
  'source-amount': '1.00',
};
export const BUY_USDC: QuoteRequest = {
  'source-asset': 'fiat/brl',
  'target-asset': 'eth-base/usdc',
  'source-amount': '20.00',
  ...REASON,
};
/** Sells less than one purchase buys. */
export const SELL_USDC: QuoteRequest = {
  'source-asset': 'eth-base/usdc',
  'target-asset': 'fiat/brl',
  'source-amount': '2.500000',
  ...REASON,
};

/** Callers that request the quotes for a round of acceptances. */
const QUOTING_CALLERS = 64;

/** The API calls of a partner to the benchmarked cluster. */
export class Partner {
  constructor(
    private readonly sandbox: SandboxFile,
    private readonly target: Target,
  ) {}

  private headers(): Record<string, string> {
    return { authorization: `Bearer ${this.sandbox['api-key']}`, 'content-type': 'application/json' };
  }

  quote(accountId: string, wanted: QuoteRequest = BUY_BRLV): Call {
    const body = JSON.stringify(wanted);
    return { method: 'POST', path: `/api/v1/accounts/${accountId}/quotes`, headers: this.headers(), body };
  }

  get(path: string): Call {
    return { method: 'GET', path, headers: this.headers() };
  }

  post(path: string, body: object): Call {
    return { method: 'POST', path, headers: this.headers(), body: JSON.stringify(body) };
  }

  async ask<T>(call: Call): Promise<T> {
    const answer = await this.target.send(call);
    if (answer.status >= 300) throw new Error(`${call.method} ${call.path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text) as T;
  }

  /** Requests `count` new quotes, spread over the accounts in turn, and returns the calls that accept them. */
  async acceptances(accounts: readonly string[], count: number, wanted: QuoteRequest = BUY_BRLV): Promise<Call[]> {
    const made: Call[] = [];
    const quotes = Array.from({ length: count }, (_, at) => this.quote(accounts[at % accounts.length] ?? '', wanted));
    await saturate(this.target, quotes, QUOTING_CALLERS, (answer: Answer, call: Call) => {
      const { id } = JSON.parse(answer.text) as { id: string };
      made.push({ ...call, path: call.path.replace('/quotes', '/orders'), body: JSON.stringify({ 'quote-id': id }) });
    });
    return made;
  }
}
