import { Inject, Injectable } from '@nestjs/common';
import type { Page, PageCursor, PageRequest, TransferState } from '@ponte/contracts';
import { ListWithdrawals } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { MESSAGE_BUS } from '@ponte/nest';
import { NftTransferReadModel } from '../nft-transfer/nft-transfers.read-model';
import { NftTransfers } from '../nft-transfer/nft-transfer.repository';
import { TransferReadModel } from '../transfer/transfers.read-model';
import { Transfers } from '../transfer/transfer.repository';

/**
 * `unrequested`: no transaction was requested for it. `requested`: it has a transaction, or will have one. `sent`: its
 * transaction is signed.
 */
type MovementProgress = 'unrequested' | 'requested' | 'sent';

/** A transfer, an NFT transfer or a token withdrawal that has not ended. */
export type OpenMovement = { readonly id: string; readonly progress: MovementProgress } & (
  { readonly kind: 'transfer' | 'withdrawal'; readonly asset: AssetId } | { readonly kind: 'NFT transfer' }
);

const PAGE = 100;

/** The open movements of an account, as far as the lists know them. A withdrawal under review is not included. */
@Injectable()
export class OpenMovements {
  constructor(
    private readonly transfers: Transfers,
    private readonly transferList: TransferReadModel,
    private readonly nftTransfers: NftTransfers,
    private readonly nftTransferList: NftTransferReadModel,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** Rejects with `Unavailable` when the ledger does not answer. */
  async of(accountId: string, context: RequestContext): Promise<readonly OpenMovement[]> {
    return [
      ...(await this.transfersOf(accountId)),
      ...(await this.nftTransfersOf(accountId)),
      ...(await this.withdrawalsOf(accountId, context)),
    ];
  }

  private async transfersOf(accountId: string): Promise<OpenMovement[]> {
    const rest = { asset: null, sourceAddress: null, targetAddress: null, txHash: null, externalId: null };
    const open = await inStates((state, page) => this.transferList.page(accountId, { ...rest, state }, page));
    const found: OpenMovement[] = [];
    for (const { id, asset } of open) {
      const progress = progressOf(await this.transfers.load(id));
      if (progress !== null) found.push({ kind: 'transfer', id, asset, progress });
    }
    return found;
  }

  private async nftTransfersOf(accountId: string): Promise<OpenMovement[]> {
    const rest = { certificateId: null, sourceAddress: null, targetAddress: null, txHash: null, externalId: null };
    const open = await inStates((state, page) => this.nftTransferList.page(accountId, { ...rest, state }, page));
    const found: OpenMovement[] = [];
    for (const { id } of open) {
      const progress = progressOf(await this.nftTransfers.load(id));
      if (progress !== null) found.push({ kind: 'NFT transfer', id, progress });
    }
    return found;
  }

  /** A withdrawal that is being processed has a transaction, or the event that requests one is on its way. */
  private async withdrawalsOf(accountId: string, context: RequestContext): Promise<OpenMovement[]> {
    const filters = { asset: null, state: 'processing', method: 'token', externalId: null } as const;
    const open = await allPages((page) => this.bus.request(ListWithdrawals, { accountId, filters, page }, context));
    return open.map(({ id, asset }) => ({ kind: 'withdrawal', id, asset, progress: 'requested' }));
  }
}

/** Null when it has ended. An event may be on its way that a list does not know, so the streams are asked. */
function progressOf(state: { readonly status: string; readonly sending?: boolean }): MovementProgress | null {
  if (state.status === 'pending') return 'sent';
  if (state.status !== 'created') return null;
  return state.sending === true ? 'requested' : 'unrequested';
}

/** Those that are open: a movement that is signed while they are read is found once or twice, and kept once. */
async function inStates<T extends { readonly id: string }>(
  list: (state: TransferState, page: PageRequest) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const created = await allPages((page) => list('created', page));
  const pending = await allPages((page) => list('pending', page));
  return [...new Map([...created, ...pending].map((one) => [one.id, one])).values()];
}

async function allPages<T>(read: (page: PageRequest) => Promise<Page<T>>): Promise<readonly T[]> {
  const found: T[] = [];
  let cursor: PageCursor | null = null;
  do {
    const { items, next }: Page<T> = await read({ limit: PAGE, cursor, createdFrom: null, createdTo: null });
    found.push(...items);
    cursor = next;
  } while (cursor !== null);
  return found;
}
