import 'reflect-metadata';
import type { NoncesAllocated, SettlementPayload } from '@ponte/contracts';
import { GetSettlement, RequestSettlement } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import type { Hex } from '../chain/chain.port';
import { MovementsServiceUnderTest } from './movements-service-under-test';

export { signer } from './movements-service-under-test';
export type { Setup } from './movements-service-under-test';

export const TO: Hex = `0x${'ab'.repeat(20)}`;

/** The service over simulated chains, with requests about mints. */
export class MovementsUnderTest extends MovementsServiceUnderTest {
  /** Requests the mint of an order. */
  mint(
    name: string,
    { to = TO, ...more }: Partial<{ asset: AssetId; amount: string; to: string; accountId: string }> = {},
  ) {
    const payload: SettlementPayload = {
      settlementId: derivedId('mint', name),
      orderId: derivedId('order', name),
      accountId: 'account',
      kind: 'mint',
      asset: 'eth-base/brlv',
      amount: '2.5',
      brlAmount: '2.50',
      wallet: to,
      ...more,
    };
    return this.bus.request(RequestSettlement, payload, this.context());
  }

  /** The state of a mint, and the newest hash in the events of its transaction. */
  async mintOf(name: string) {
    const id = derivedId('mint', name);
    const settlement = await this.bus.request(GetSettlement, { settlementId: id, kind: 'mint' }, this.context());
    const transactionId = transactionIdOf({ kind: 'mint', id });
    const hashes = this.events().flatMap(({ data }) => {
      const about = data as { readonly transactionId?: string; readonly txHash?: Hex };
      return about.transactionId === transactionId && about.txHash ? [about.txHash] : [];
    });
    return { state: settlement?.state, txHash: hashes.at(-1) ?? null };
  }

  /** Requests a mint, and ends the process as soon as an event of the type is durable. */
  async diesAfter(type: string, name: string): Promise<void> {
    const { struck } = this.store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some((event) => event.type === type),
    });
    // The request itself fails when the process ends before it is answered.
    await Promise.allSettled([this.mint(name)]);
    await struck;
    await this.stop();
  }

  /** Waits until the node has the bytes. */
  async broadcast(name: string): Promise<void> {
    await eventually(async () => {
      const { txHash } = await this.mintOf(name);
      expect(await this.base.transaction(txHash ?? '0x')).toMatchObject({ status: 'pooled' });
    });
  }

  /** Waits until the mint has completed or failed. */
  async ended(name: string) {
    return eventually(async () => {
      const mint = await this.mintOf(name);
      if (mint.state !== 'completed' && mint.state !== 'failed') throw new Error(`the mint is ${mint.state}`);
      return mint;
    });
  }

  /** In units of 18 decimals. */
  balance = () => this.base.tokenBalance('eth-base/brlv', TO);
  events = (): Recorded[] => this.log.slice(0, this.log.length);
  types = () => this.events().map(({ type }) => type);
  /** Every allocated nonce, in the order of allocation. */
  nonces = () =>
    this.ofType('NoncesAllocated').flatMap(({ data }) => {
      const { first, transactionIds } = data as NoncesAllocated['data'];
      return transactionIds.map((_, at) => first + at);
    });
  ofType = (type: string) => this.events().filter((event) => event.type === type);
}
