import { Inject, Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { Aggregates, commandContext, stepContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { CLOCK, IDS } from '@ponte/nest';
import { nftTransfer } from '../nft-transfer/nft-transfer.decider';
import type { ExternalIdKind } from './external-id.decider';
import { externalIdStream, movementExternalId, usedByAnother } from './external-id.decider';
import { transfer } from '../transfer/transfer.decider';

interface ExternalIdRequest {
  readonly accountId: string;
  readonly transferId: string;
  readonly externalId: string | null;
  /** `transfer` when absent. */
  readonly kind?: ExternalIdKind;
}

/** The external ids of an account's transfers. */
@Injectable()
export class ExternalIds {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  /** An id for the claim of one attempt to create a transfer. */
  newClaimId(): string {
    return this.ids.next();
  }

  async isUsed(request: ExternalIdRequest, at: Timestamp): Promise<boolean> {
    if (request.externalId === null) return false;
    const { state, unused } = await this.claimOf(request.accountId, request.externalId, request.kind);
    return usedByAnother(state, request.transferId, unused, at);
  }

  /** Refuses with `external-id-already-used`. Taking it again with the same claim changes nothing. */
  async take(
    { accountId, transferId, externalId, kind }: ExternalIdRequest,
    claimId: string,
    context: RequestContext,
  ): Promise<void> {
    if (externalId === null) return;
    const once = stepContext(context, 'take-external-id', claimId);
    await this.aggregates.handle(
      movementExternalId,
      externalIdStream(accountId, externalId, kind),
      async (at: Timestamp) => {
        const { unused } = await this.claimOf(accountId, externalId, kind);
        return { kind: 'take', accountId, resourceId: transferId, claimId, unused, at } as const;
      },
      commandContext(once, this.clock),
    );
  }

  /** Does nothing if this claim did not take it. */
  async release(
    { accountId, transferId, externalId, kind }: ExternalIdRequest,
    claimId: string,
    context: RequestContext,
  ): Promise<void> {
    if (externalId === null) return;
    const once = { ...stepContext(context, 'release-external-id', claimId), deadline: undefined };
    await this.aggregates.handle(
      movementExternalId,
      externalIdStream(accountId, externalId, kind),
      { kind: 'release', accountId, resourceId: transferId, claimId },
      commandContext(once, this.clock),
    );
  }

  /** The claim, and the id of its transfer if that transfer does not use this external id. */
  private async claimOf(accountId: string, externalId: string, kind?: ExternalIdKind) {
    const { state } = await this.aggregates.load(movementExternalId, externalIdStream(accountId, externalId, kind));
    if (state.status === 'free') return { state, unused: null };
    return { state, unused: (await this.isUsedBy(state.resourceId, externalId, kind)) ? null : state.resourceId };
  }

  /** False if the transfer was never created, or was created with another external id. */
  private async isUsedBy(transferId: string, externalId: string, kind?: ExternalIdKind): Promise<boolean> {
    const { state } =
      kind === 'nft-transfer'
        ? await this.aggregates.load(nftTransfer, transferId)
        : await this.aggregates.load(transfer, transferId);
    return state.status !== 'absent' && state.terms.externalId === externalId;
  }
}
