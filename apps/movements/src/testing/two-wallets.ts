import type { Hold, HoldOwner, SettlementPayload, WalletRecord } from '@ponte/contracts';
import {
  CreateWallet,
  GetSettlement,
  ListAccountHolds,
  ProvisionWallets,
  RequestSettlement,
  RequestTokenMovement,
  ResolveWallet,
} from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import type { MovementsUnderTest } from './movements-under-test';

export const ASSET = 'eth-base/usdc';
export const OUTSIDE = `0x${'cd'.repeat(20)}`;
export const usdc = (amount: number) => `${amount}.000000`;
export const movementId = (name: string) => derivedId('movement', name);

/** An account with two wallets, which hold 3 and 5 USDC, and with holds in the ledger. */
export class TwoWallets {
  readonly accountId = derivedId('account', 'seller');
  /** The open holds of the account. */
  holds: Hold[] = [];
  /** Answers as the ledger. */
  listed: () => Promise<readonly Hold[]> = async () => this.holds;

  private constructor(
    readonly movements: MovementsUnderTest,
    public main: WalletRecord,
    public savings: WalletRecord,
  ) {}

  static async of(movements: MovementsUnderTest): Promise<TwoWallets> {
    const accountId = derivedId('account', 'seller');
    const { wallets } = await movements.bus.request(
      ProvisionWallets,
      { accountId, parentId: null },
      movements.context(),
    );
    const main = wallets.find(({ chain }) => chain === 'eth-base') as WalletRecord;
    const terms = { name: 'Savings', chain: 'eth-base', metadata: {}, uiEnabled: false } as const;
    const created = { accountId, walletId: derivedId('wallet', 'savings'), ...terms };
    const savings = await movements.bus.request(CreateWallet, created, movements.context());
    movements.base.fund(ASSET, main.address as Hex, 3_000_000n);
    movements.base.fund(ASSET, savings.address as Hex, 5_000_000n);
    const account = new TwoWallets(movements, main, savings);
    account.answer();
    return account;
  }

  async restart(): Promise<void> {
    await this.movements.stop();
    await this.movements.start();
    this.answer();
  }

  /** Places the hold of an order or transfer, as the ledger has it from the acceptance on. */
  promise(name: string, amount: number, wallet = this.main, kind: HoldOwner['kind'] = 'order'): void {
    const source = { walletId: wallet.id, movementId: movementId(name) };
    const owner = { kind, id: derivedId(kind, name) };
    this.holds.push({ holdId: derivedId('hold', name), owner, asset: ASSET, amount: usdc(amount), source });
  }

  /** Places the hold of a withdrawal. */
  withdraw(name: string, amount: number): void {
    const owner = { kind: 'withdrawal', id: movementId(name) } as const;
    this.holds.push({ holdId: derivedId('hold', name), owner, asset: ASSET, amount: usdc(amount) });
  }

  /** Requests the movement of a withdrawal to an address outside. */
  send(name: string, amount: number, movements = this.movements) {
    const owner = { kind: 'withdrawal', id: movementId(name) } as const;
    const tokens = { asset: ASSET, amount: usdc(amount), sourceWalletId: null } as const;
    const sent = { movementId: owner.id, owner, accountId: this.accountId, ...tokens, destination: OUTSIDE };
    return movements.bus.request(RequestTokenMovement, sent, movements.context());
  }

  /** What main and savings hold, in USDC. */
  async balances(): Promise<number[]> {
    const held = [this.main, this.savings].map(({ address }) =>
      this.movements.base.tokenBalance(ASSET, address as Hex),
    );
    return (await Promise.all(held)).map((units) => Number(units) / 1_000_000);
  }

  /** Which wallet would pay, and its funds; null if none could. */
  async payer(amount: number, wallet?: WalletRecord, own = 'new') {
    const tokens = { asset: ASSET, amount: usdc(amount) } as const;
    const { accountId, main, movements } = this;
    const about = { accountId, chain: 'eth-base', address: wallet?.address ?? null, tokens } as const;
    const query = { ...about, pays: true, movementId: movementId(own) };
    const { relation, lacksTokens, funds } = await movements.bus.request(ResolveWallet, query, movements.context());
    if (lacksTokens) return [null, undefined];
    return [
      relation?.address === main.address ? 'main' : 'savings',
      funds && [funds.available, funds.held].map(Number),
    ];
  }

  /** A sale from the main wallet. */
  settlement(name: string, amount: number): SettlementPayload {
    return {
      ...{ settlementId: movementId(name), orderId: derivedId('order', name), accountId: this.accountId },
      ...{ kind: 'treasury-receipt', asset: ASSET, amount: usdc(amount), wallet: this.main.address, brlAmount: '2.50' },
    };
  }

  settle(name: string, amount: number) {
    return this.movements.bus.request(RequestSettlement, this.settlement(name, amount), this.movements.context());
  }

  reaches(name: string, state: string): Promise<void> {
    return eventually(async () => {
      const query = { settlementId: movementId(name), kind: 'treasury-receipt' } as const;
      const settlement = await this.movements.bus.request(GetSettlement, query, this.movements.context());
      expect(settlement?.state).toBe(state);
    });
  }

  /** Mines blocks until the main wallet holds the amount. */
  mainHolds(units: bigint): Promise<void> {
    return eventually(async () => {
      this.movements.base.mine();
      expect(await this.movements.base.tokenBalance(ASSET, this.main.address as Hex)).toBe(units);
    });
  }

  /** Answers as the ledger, to this or another process of the service. */
  answer(movements = this.movements): void {
    movements.bus.handle(ListAccountHolds.pattern, async () => ({ holds: await this.listed() }));
  }
}
