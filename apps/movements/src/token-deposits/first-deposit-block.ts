import { TransactionSigned, WalletCreated } from '@ponte/contracts';
import type { EventStore } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { BlockId, Hex } from '../chain/chain.port';
import type { DepositTransfers } from './deposit-transfers.port';
import type { WalletAddresses } from './wallet-addresses.read-model';

/** Our clocks differ from those of the validators. */
const MARGIN_MS = 3_600_000;

/** How many final blocks are read again with the next ones: a node may index its logs late. */
const OVERLAP = 30;

/** The first block to read when the chain was read up to this one. */
export const afterBlock = ({ number }: BlockId): number => Math.max(0, number + 1 - OVERLAP);

/** What the event log has about a chain before its first scan. */
interface LogBefore {
  /** Epoch ms; null without any wallet. */
  readonly firstWalletAt: number | null;
  readonly senders: ReadonlySet<Hex>;
}

const current = upcaster([WalletCreated, TransactionSigned]);

/**
 * Reads the log once from its beginning. A chain is scanned from its first wallet on, and only when the read models
 * have at least all of these keys.
 */
async function readLogBefore(store: EventStore, chain: Chain): Promise<LogBefore> {
  let firstWalletAt: number | null = null;
  const senders = new Set<Hex>();
  if ((await store.head()) === undefined) return { firstWalletAt, senders };
  const subscription = store.subscribe({ categories: ['wallet', 'chainTransaction'] });
  try {
    for await (const { events, caughtUp } of subscription) {
      for (const recorded of events) {
        if (recorded.type === WalletCreated.type && current<WalletCreated>(recorded).data.chain === chain) {
          firstWalletAt = Math.min(firstWalletAt ?? Number.POSITIVE_INFINITY, Date.parse(recorded.meta.occurredAt));
        } else if (recorded.type === TransactionSigned.type) {
          const { chain: of, from } = current<TransactionSigned>(recorded).data;
          if (of === chain) senders.add(from as Hex);
        }
      }
      if (caughtUp) break;
    }
  } finally {
    await subscription.close();
  }
  return { firstWalletAt, senders };
}

/** The first block to read on a chain that was never read for deposits: that of its first wallet. */
export class FirstDepositBlock {
  /** Kept only once the chain has a wallet: until then, the first one may be created at any time. */
  private before: LogBefore | undefined;

  constructor(
    private readonly chain: Chain,
    private readonly store: EventStore,
    private readonly addresses: Pick<WalletAddresses, 'knowSenders'>,
  ) {}

  /** Rejects with `Unavailable` when the read models lack a key that has signed according to the log. */
  async find(transfers: DepositTransfers, final: BlockId): Promise<number> {
    const before = this.before ?? (await readLogBefore(this.store, this.chain));
    const { firstWalletAt, senders } = before;
    if (firstWalletAt !== null) this.before = before;
    if (!(await this.addresses.knowSenders(this.chain, senders)))
      throw new Unavailable('service-unavailable', 'the read models of movements are behind the log');
    return firstWalletAt === null ? final.number : transfers.firstSince(firstWalletAt - MARGIN_MS, final);
  }
}
