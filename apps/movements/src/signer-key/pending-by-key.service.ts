import { Inject, Injectable } from '@nestjs/common';
import { logged } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Hex } from '../chain/chain.port';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { UnfinalTransactions } from '../finality/unfinal-transactions.read-model';
import { keyIdOf } from './operator-keys';
import { PendingTransactions } from '../transactions/pending-transactions.read-model';

/** In place of the id of a key: an address that belongs to no key of this process. */
const UNKNOWN_KEY = 'unknown';

/** Transactions of one key on one chain. */
export interface OfKey {
  readonly chain: Chain;
  /** The id of the key, or {@link UNKNOWN_KEY}. */
  readonly keyId: string;
  readonly count: number;
}

interface OfSender {
  readonly chain: Chain;
  /** Address of the key. */
  readonly sender: string;
  readonly count: number;
}

/**
 * The unfinished transactions of each key. Only the key that a transaction names can sign it, so unsigned ones of a key
 * that the process does not have wait until it gets the key.
 */
@Injectable()
export class PendingByKey {
  /** For each unknown key on a chain, the transaction that the last round found. */
  private readonly found = new Map<string, string>();
  private readonly reported = new Set<string>();

  constructor(
    private readonly pending: PendingTransactions,
    private readonly unfinal: UnfinalTransactions,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Unfinished transactions of each key, as {@link count}. */
  async unfinished(): Promise<readonly OfKey[]> {
    return this.count(await this.pending.bySender());
  }

  /** Confirmed transactions of each key that are not final yet, as {@link count}. A reorg makes them unfinished. */
  async unfinalOnes(): Promise<readonly OfKey[]> {
    return this.count(await this.unfinal.bySender());
  }

  /** Every key on every chain, also without transactions. Rejects with `Unavailable` if the keystore is unreachable. */
  private async count(all: readonly OfSender[]): Promise<readonly OfKey[]> {
    const rows = await this.named(all);
    const keyIds = [...this.settings.heldKeyIds, UNKNOWN_KEY];
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
   * ended long ago. Returns the addresses of the unknown keys.
   */
  async report(chain: Chain): Promise<readonly Hex[]> {
    const unknown = (await this.named(await this.pending.bySender())).filter(
      (one) => one.chain === chain && one.keyId === UNKNOWN_KEY,
    );
    for (const { sender: address, count, example } of unknown) {
      const name = `${chain}/${address}`;
      if (this.reported.has(name)) continue;
      const isSure = this.found.get(name) === example;
      this.found.set(name, example);
      const correlationId = isSure ? await this.pending.correlationIdOf(example) : undefined;
      if (correlationId === undefined) continue;
      this.reported.add(name);
      this.logger.error(
        { ...logged({ correlationId }), chain, address, transactions: count, transactionId: example },
        'unfinished transactions name a key that movements does not have; those that are not signed wait until it has the key',
      );
    }
    return unknown.map(({ sender }) => sender as Hex);
  }

  private async named<R extends OfSender>(rows: readonly R[]): Promise<(R & { readonly keyId: string })[]> {
    const keys = { signer: this.signer, settings: this.settings };
    return Promise.all(rows.map(async (row) => ({ ...row, keyId: (await keyIdOf(keys, row.sender)) ?? UNKNOWN_KEY })));
  }
}
