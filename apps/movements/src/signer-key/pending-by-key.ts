import { Inject, Injectable } from '@nestjs/common';
import { logged } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { PendingTransactions } from '../transactions/pending-transactions.read-model';

/** In place of the id of a key: an address that belongs to no key of this process. */
export const UNKNOWN_KEY = 'unknown';

/** Unfinished transactions of one key on one chain. */
export interface PendingOfKey {
  readonly chain: Chain;
  /** The id of the key, or {@link UNKNOWN_KEY}. */
  readonly keyId: string;
  readonly count: number;
}

/**
 * The unfinished transactions of each key. Only the key that a transaction names can end it, so those of a key that the
 * process does not have wait until it gets the key.
 */
@Injectable()
export class PendingByKey {
  /** For each unknown key on a chain, the transaction that the last round found. */
  private readonly found = new Map<string, string>();
  private readonly reported = new Set<string>();

  constructor(
    private readonly pending: PendingTransactions,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Every key on every chain, also without transactions. Rejects with `Unavailable` if the keystore is unreachable. */
  async counts(): Promise<readonly PendingOfKey[]> {
    const rows = await this.rows();
    const keyIds = [...this.settings.operatorKeyIds, UNKNOWN_KEY];
    return CHAINS.flatMap((chain) =>
      keyIds.map((keyId) => ({
        chain,
        keyId,
        count: rows
          .filter((row) => row.chain === chain && row.keyId === keyId)
          .reduce((sum, { count }) => sum + count, 0),
      })),
    );
  }

  /**
   * Logs an error for each unknown key of the chain, once in a process. To be called in each round: a key counts as
   * unknown when two rounds find the same transaction, because a read model that is being rebuilt also has those that
   * ended long ago.
   */
  async report(chain: Chain): Promise<void> {
    for (const { keyId, chain: where, sender: address, count, example } of await this.rows()) {
      const name = `${where}/${address}`;
      if (where !== chain || keyId !== UNKNOWN_KEY || this.reported.has(name)) continue;
      const isSure = this.found.get(name) === example;
      this.found.set(name, example);
      const correlationId = isSure ? await this.pending.correlationIdOf(example) : undefined;
      if (correlationId === undefined) continue;
      this.reported.add(name);
      this.logger.error(
        { ...logged({ correlationId }), chain, address, transactions: count, transactionId: example },
        'unfinished transactions name a key that movements does not have; they wait until it has the key',
      );
    }
  }

  private async rows() {
    const ids = this.settings.operatorKeyIds;
    const known = new Map(await Promise.all(ids.map(async (id) => [await this.signer.addressOf(id), id] as const)));
    return (await this.pending.bySender()).map((row) => ({
      ...row,
      keyId: known.get(row.sender as `0x${string}`) ?? UNKNOWN_KEY,
    }));
  }
}
