import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { AccountStatus } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { CERTIFICATE_CHAIN } from '../certificates/certificate-purpose';
import { chainOfToken } from '../token-movement/chain-values.domain';
import type { OpenMovement } from './open-movements.service';
import { OpenMovements } from './open-movements.service';
import { RefusedMovements } from './refused-movements.service';

/**
 * `ended` are never sent: their events end them. `sent` have a nonce or are on the chain. `unrequested` have no
 * transaction.
 */
type UnsignedMovements =
  | { readonly outcome: 'not-frozen'; readonly status: AccountStatus | 'unknown' }
  | ({ readonly outcome: 'done' } & Readonly<Record<'ended' | 'sent' | 'unrequested', readonly OpenMovement[]>>);

/**
 * Gives up the transfers, NFT transfers and token withdrawals of a frozen account whose transaction is not signed,
 * because they keep the account from being closed. May be repeated: what was interrupted continues.
 */
export class EndUnsignedMovementsCommand extends PayloadCommand<{ readonly accountId: string }, UnsignedMovements> {}

/**
 * The events of the transactions end the transfers and withdrawals and return what they hold, as after every movement
 * that is given up. Orders are not included: one that was paid by Pix would return the payment.
 */
@CommandHandler(EndUnsignedMovementsCommand)
export class EndUnsignedMovementsHandler implements ICommandHandler<EndUnsignedMovementsCommand> {
  constructor(
    private readonly open: OpenMovements,
    private readonly refused: RefusedMovements,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  /** The movements of an active account are sent; those of a closed one are given up without this command. */
  async execute({ payload: { accountId }, context }: EndUnsignedMovementsCommand): Promise<UnsignedMovements> {
    const status = (await this.bus.request(GetAccount, { accountId }, context))?.status ?? 'unknown';
    if (status !== 'frozen') return { outcome: 'not-frozen', status };
    const found = { ended: [] as OpenMovement[], sent: [] as OpenMovement[], unrequested: [] as OpenMovement[] };
    for (const movement of await this.open.of(accountId, context)) {
      if (movement.progress !== 'requested') found[movement.progress].push(movement);
      else found[(await this.prevent(movement, context)) ? 'ended' : 'sent'].push(movement);
    }
    return { outcome: 'done', ...found };
  }

  private prevent(movement: OpenMovement, context: RequestContext): Promise<boolean> {
    const { id } = movement;
    return movement.kind === 'NFT transfer'
      ? this.refused.prevent({ kind: 'nft-movement', id }, CERTIFICATE_CHAIN, 'account-not-active', context)
      : this.refused.prevent(
          { kind: 'token-movement', id },
          chainOfToken(movement.asset),
          'account-not-active',
          context,
        );
  }
}
