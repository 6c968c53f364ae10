import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BankBehaviour } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { PAYOUT_NOTICES } from '../../../../../ledger/src/payouts/payouts.port';
import type { SimulatedPayouts } from '../../../../../ledger/src/payouts/simulated.payouts.adapter';
import type { Answer } from '../../testing/client';
import { Client, succeeded } from '../../testing/client';
import type { Deposit, Order, PaidPix } from '../../testing/customer';
import { Customer } from '../../testing/customer';
import type { InProcessCluster } from '../../testing/in-process';
import { startInProcess } from '../../testing/in-process';
import { brlvOnChain, tokenOnChain } from '../../testing/on-chain';
import type { Env } from '../../testing/program';
import { chainPids } from '../../testing/chain-processes';
import { ANVIL } from '../../testing/program';
import type { Bank } from '../../testing/sandbox-under-test';
import { eventsOf, trialBalanceOf } from '../../testing/trial-balance';
import { until } from '../../testing/waiting';
import { freezeAccount, releaseAccount } from './account-standing';

export type Members = Readonly<Record<string, string>>;
export type Placed = Order & { readonly delivery?: { readonly state: string; readonly reason?: string } };
type Accepted = Answer<{ readonly order: Placed }>;

/**
 * BRL for one USD. It is fixed, so that a quote's limits do not change between reading them and requesting the quote.
 */
const RATE = '5.0000000000';
/** The tokens that the customer's wallet on eth-base can hold. */
const CUSTODY = ['eth-base/brlv', 'eth-base/wbrly', 'eth-base/usdc', 'eth-base/usdt'];
const ZERO = /^-?0(\.0+)?$/;

/** The minor units of a decimal amount: `1.05` is 105. */
export const minor = (amount: string): bigint => BigInt(amount.replace('.', ''));

/**
 * A cluster in the test's process with real chains, and access to the three places that can hold an order's money: the
 * books, the bank and the chain.
 */
export class AttackedCluster {
  private constructor(
    readonly cluster: InProcessCluster,
    readonly customer: Customer,
    private readonly operator: Client,
  ) {}

  static async start(env: Env = {}): Promise<AttackedCluster> {
    const cluster = await startInProcess({ ...ANVIL, LEDGER_RESUME_MS: '200', ...env });
    const { sandbox, dataDirectory } = cluster;
    const token = readFileSync(join(dataDirectory, 'staff-token'), 'utf8').trim();
    const operator = new Client(sandbox['base-url'], { authorization: `Staff ${token}` });
    const attacked = new AttackedCluster(cluster, Customer.of(sandbox), operator);
    await attacked.customer.api.post('/api/v1/sandbox/pricing', { rate: RATE });
    return attacked;
  }

  async close(): Promise<void> {
    await Promise.all([this.customer.api.close(), this.operator.close()]);
    await this.cluster.close();
  }

  /** Opens another account of the same partner, used with the partner's key. */
  async openSiblingAccount(): Promise<Customer> {
    const { account } = await this.operator.post<{ account: { id: string } }>('/staff/accounts', {
      alias: `sister ${randomUUID()}`,
      'legal-name': 'Irmã da Silva',
      'tax-id': '11144477735',
      'parent-id': this.cluster.sandbox['account-id'],
    });
    return new Customer(this.customer.api, account.id);
  }

  /** Waits for the account's wallet on eth-base and returns its address. */
  walletOf(owner: Customer): Promise<string> {
    return until(async () => {
      const path = owner.path('/wallets?assets=eth-base/brlv');
      const [wallet] = (await owner.api.get<{ wallets: { address: string }[] }>(path)).wallets;
      if (!wallet) throw new Error('the account has no wallet yet');
      return wallet.address;
    });
  }

  /** Whitelists an external address for the customer, including for FX. */
  async whitelist(address: string): Promise<void> {
    await this.operator.post(`/staff/accounts/${this.customer.accountId}/whitelisted-wallets`, { address, fx: true });
  }

  onChain(token: string, address: string): Promise<string> {
    return tokenOnChain(this.cluster.dataDirectory, token, address);
  }

  async quoted(source: string, target: string, amount: Members, by = this.customer): Promise<string> {
    return succeeded(await this.ask(source, target, amount, by)).id;
  }

  /** Requests a quote and returns the response, even if it is an error. */
  ask(source: string, target: string, amount: Members, by = this.customer): Promise<Answer<{ readonly id: string }>> {
    const fx = /usd/.test(source + target) ? { 'trade-reason': 'transfer-between-same-entity-accounts' } : {};
    return by.api.persist(by.path('/quotes'), { 'source-asset': source, 'target-asset': target, ...amount, ...fx });
  }

  accept(quoteId: string, members: Members = {}, by = this.customer): Promise<Accepted> {
    return by.api.send('POST', by.path('/orders'), { 'quote-id': quoteId, ...members });
  }

  /** Requests a quote and places an order for it. Throws if either is refused. */
  async order(source: string, target: string, amount: Members, members: Members = {}): Promise<Placed> {
    return succeeded(await this.accept(await this.quoted(source, target, amount), members)).order;
  }

  /** Pays a code. Returns the id of the payment and the time when the bank settled it. */
  async pay(brcode: string | undefined): Promise<{ readonly endToEndId: string; readonly settledAt: string }> {
    const { 'pix-payment': paid } = await this.customer.api.post<PaidPix>('/api/v1/sandbox/pix-payments', { brcode });
    return { endToEndId: paid['end-to-end-id'], settledAt: paid['settled-at'] };
  }

  async depositOf(endToEndId: string): Promise<Deposit | undefined> {
    const path = this.customer.path(`/assets/brl/deposits?end-to-end-id=${endToEndId}`);
    return (await this.customer.api.get<{ deposits: Deposit[] }>(path)).deposits[0];
  }

  async bank(): Promise<Bank> {
    return (await this.operator.get<{ bank: Bank }>('/staff/sandbox/bank')).bank;
  }

  async misbehave(command: Partial<BankBehaviour>): Promise<void> {
    await this.operator.post('/staff/sandbox/bank', { ...command });
  }

  /** BRL received by Pix and not returned, in centavos. */
  async kept(): Promise<bigint> {
    const { received, returned } = await this.bank();
    return minor(received) - minor(returned);
  }

  log(): Promise<Recorded[]> {
    return eventsOf(this.cluster.store);
  }

  /** Runs `work` while the nodes of the chains are suspended: they neither answer nor mine. */
  async whileNodesStandStill<T>(work: () => Promise<T>): Promise<T> {
    const nodes = chainPids(this.cluster.dataDirectory);
    for (const pid of nodes) process.kill(pid, 'SIGSTOP');
    try {
      return await work();
    } finally {
      for (const pid of nodes) process.kill(pid, 'SIGCONT');
    }
  }

  freeze(): Promise<void> {
    return freezeAccount(this.cluster.sandbox, this.customer.accountId);
  }

  release(): Promise<void> {
    return releaseAccount(this.cluster.sandbox, this.customer.accountId);
  }

  /**
   * The state expected after every attack: the books sum to zero, no hold is open, the bank has what the books say, and
   * the customer's wallet and the BRLV supply on the chain match the books.
   */
  async expectSettled(): Promise<void> {
    const { dataDirectory, sandbox } = this.cluster;
    await until(async () => {
      const { unbalancedAt, openHolds, lines } = trialBalanceOf(await this.log());
      const line = (account: string, asset: string) => lines.get(`${account} ${asset}`)?.toString() ?? '0';
      expect({ unbalancedAt, openHolds }).toEqual({ unbalancedAt: null, openHolds: [] });
      expect(minor(line('house:settlement', 'fiat/brl'))).toBe(this.paidOut() - (await this.kept()));
      const mine = `customer:${this.customer.accountId}`;
      for (const token of CUSTODY) {
        const held = await tokenOnChain(dataDirectory, token, sandbox['wallet-address']);
        expect([token, Number(held)]).toEqual([token, Number(line(mine, token))]);
      }
      const backed = Number(line('house:issuance', 'eth-base/brlv'));
      expect(backed + Number(await brlvOnChain(dataDirectory).supply())).toBe(0);
    });
    for (const asset of ['brl', 'brlv', 'wbrly', 'usdc', 'usdt'])
      expect([asset, (await this.customer.balance(asset)).held]).toEqual([asset, expect.stringMatching(ZERO)]);
  }

  /** The simulated bank that pays withdrawals out. Its Pix keys can be moved and it keeps its own books. */
  get payoutBank(): SimulatedPayouts {
    return this.cluster.app.get<SimulatedPayouts>(PAYOUT_NOTICES, { strict: false });
  }

  /** BRL paid out and not returned, in centavos, according to the bank's books. */
  private paidOut(): bigint {
    const { paid, returned } = this.payoutBank.totals();
    return minor(paid.minus(returned).toString());
  }
}
