import { pause } from '@ponte/concurrency';
import { Inject, Injectable } from '@nestjs/common';
import type { MovementReceiver } from '@ponte/contracts';
import type { Checkpoints, EventStore } from '@ponte/event-sourcing';
import { Aggregates, behindEvent } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { EVENT_STORE, READ_MODEL_CHECKPOINTS, READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { wallet } from '../wallet/wallet.decider';
import type { Hex } from '../chain/chain.port';
import type { MovementsSettings } from '../movements-settings.port';
import { MAX_OPERATOR_KEYS, operatorKeyIds, SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { WalletReadModel } from '../wallet/wallets.read-model';
import { MOVEMENTS_REBUILDABLE } from '../movements.read-models';
import { TRANSACTIONS_READER } from '../transactions/pending-transactions.read-model';
import { RECIPIENTS_AT_ONCE } from '../transfer-logs/node-logs.adapter';
import type { OwnAddresses } from './deposit-transfers.port';

interface Schema {
  wallets: {
    readonly id: string;
    readonly account_id: string;
    readonly chain: Chain;
    readonly address: Hex;
    readonly created_at: string;
  };
  signing_keys: { readonly chain: Chain; readonly sender: Hex };
}

/**
 * With more recipients than this, all transfers of the tokens are requested: that is one request with a longer answer.
 * If a node refuses to return all transfers of one block, only those to the wallets are requested.
 */
const MAX_RECIPIENTS = 10_000;
/** Addresses per database query. */
const AT_ONCE = 500;
/** Of the projectors of wallets and of keys that have signed. */
const CHECKPOINTS = MOVEMENTS_REBUILDABLE.filter(({ name }) =>
  [WalletReadModel.reader, TRANSACTIONS_READER].includes(name),
).map(({ reader }) => reader);
/** Milliseconds between two reads of the projectors' checkpoints, which are written several times a second. */
const POLL_INTERVAL_MS = 50;
const MAX_READS = 100;
/** Keys other than the operator keys that sign for us. */
const OTHER_KEYS = ['treasury', 'deployer'] as const;

/** Finds out to whom addresses belong, for the deposit scan. */
@Injectable()
export class WalletAddresses {
  private readonly db: Kysely<Schema>;

  constructor(
    @Inject(READ_MODELS) readModels: Kysely<unknown>,
    @Inject(READ_MODEL_CHECKPOINTS) private readonly checkpoints: Pick<Checkpoints, 'load'>,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head' | 'comparePositions'>,
    private readonly aggregates: Aggregates,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
  ) {
    this.db = readModels as Kysely<Schema>;
  }

  of(chain: Chain): OwnAddresses {
    return {
      recipients: () => this.recipients(chain),
      allWallets: () => this.addresses(chain),
      senders: () => this.senders(chain),
      wallets: async (addresses) => new Set((await this.idsOf(chain, addresses)).keys()),
    };
  }

  /** The accounts of these wallets. The read model has them, so one without an account is an outdated state. */
  async receivers(chain: Chain, addresses: readonly Hex[]): Promise<ReadonlyMap<Hex, MovementReceiver>> {
    const ids = await this.idsOf(chain, addresses);
    const found = await Promise.all(
      [...ids].map(async ([address, id]): Promise<[Hex, MovementReceiver]> => {
        const { state } = await this.aggregates.load(wallet, id, (held) => held.state.status === 'created');
        if (state.status !== 'created') return behindEvent(`wallet ${id}`, state.status);
        return [address, { accountId: state.accountId, parentId: state.parentId, walletId: state.id }];
      }),
    );
    return new Map(found);
  }

  /** When the first wallet of the chain was created (epoch ms); null without any wallet. */
  async firstWalletAt(chain: Chain): Promise<number | null> {
    const row = await this.db
      .selectFrom('wallets')
      .select(({ fn }) => fn.min('created_at').as('first'))
      .where('chain', '=', chain)
      .executeTakeFirst();
    return row?.first ? Date.parse(row.first) : null;
  }

  /** Whether the read models have all these keys, which have signed according to the log. */
  async knowSenders(chain: Chain, past: ReadonlySet<Hex>): Promise<boolean> {
    const senders = await this.senders(chain);
    return [...past].every((sender) => senders.has(sender));
  }

  /**
   * Waits until the lists have every wallet and every key that has signed according to the log, or until the signal
   * aborts: then they may be behind. Throws `Unavailable` when a list stays behind: a deposit to a missing wallet would
   * be skipped permanently, and a mint that a missing key signed would be credited again.
   */
  async catchUp(signal: AbortSignal): Promise<void> {
    const goal = await this.store.head();
    if (goal === undefined) return;
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      if (signal.aborted) return;
      const reached = await Promise.all(CHECKPOINTS.map((name) => this.checkpoints.load(name)));
      if (reached.every((one) => one !== undefined && this.store.comparePositions(one, goal) >= 0)) return;
      await pause(POLL_INTERVAL_MS, signal);
    }
    throw new Unavailable('service-unavailable', 'the list of wallets or of signers is behind the log');
  }

  private async recipients(chain: Chain): Promise<readonly (readonly Hex[])[] | null> {
    const wallets = await this.addresses(chain, MAX_RECIPIENTS + 1);
    if (wallets.length > MAX_RECIPIENTS) return null;
    const groups: (readonly Hex[])[] = [];
    for (let at = 0; at < wallets.length; at += RECIPIENTS_AT_ONCE)
      groups.push(wallets.slice(at, at + RECIPIENTS_AT_ONCE));
    return groups;
  }

  /** The addresses of the chain's wallets, at limit `limit` of them if given. */
  private async addresses(chain: Chain, limit?: number): Promise<readonly Hex[]> {
    const wallets = this.db.selectFrom('wallets').select('address').where('chain', '=', chain);
    const rows = await (limit === undefined ? wallets : wallets.limit(limit)).execute();
    return rows.map(({ address }) => address);
  }

  private async idsOf(chain: Chain, addresses: readonly Hex[]): Promise<ReadonlyMap<Hex, string>> {
    const accountsByAddress = new Map<Hex, string>();
    for (let at = 0; at < addresses.length; at += AT_ONCE) {
      const rows = await this.db
        .selectFrom('wallets')
        .select(['id', 'address'])
        .where('chain', '=', chain)
        .where('address', 'in', addresses.slice(at, at + AT_ONCE))
        .execute();
      for (const { id, address } of rows) accountsByAddress.set(address, id);
    }
    return accountsByAddress;
  }

  /** Addresses of every key that may sign for us, and of every key that has signed. */
  private async senders(chain: Chain): Promise<ReadonlySet<Hex>> {
    const { heldKeyIds } = this.settings;
    const names = [...new Set([...operatorKeyIds(MAX_OPERATOR_KEYS), ...heldKeyIds, ...OTHER_KEYS])];
    const addresses = await Promise.allSettled(names.map((name) => this.signer.addressOf(name)));
    // A key that was never created has signed nothing. Any other failure leaves the answer unknown.
    const failed = addresses.find(
      (one, at) =>
        one.status === 'rejected' && (one.reason instanceof Unavailable || heldKeyIds.includes(names[at] ?? '')),
    );
    if (failed?.status === 'rejected')
      throw failed.reason instanceof Unavailable
        ? failed.reason
        : new Unavailable('chain-unavailable', 'an operator key is not in the keystore');
    const made = addresses.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const signed = await this.db.selectFrom('signing_keys').select('sender').where('chain', '=', chain).execute();
    return new Set([...made, ...signed.map(({ sender }) => sender)]);
  }
}
