import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Failure, RequestTokenMovement } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { stepContext } from '@ponte/event-sourcing';
import { Refusal, Unavailable } from '@ponte/kernel';
import { RefusedMovements } from '../unsent/refused-movements.service';
import { chainOfToken } from './chain-values.domain';
import { RequestTokenMovementCommand } from './request-token-movement.command';
import { TARGET_LOST } from './token-movement.errors';

/** The account has tokens, so it has a wallet that is not in the list yet. */
const LIST_IS_BEHIND = 'wallet-not-found';

const ABOVE_MAXIMUM = 'amount-above-maximum';

/** Requests the movements of resources that were accepted before. */
@Injectable()
export class RequestOrRefuse {
  constructor(
    private readonly commands: CommandBus,
    private readonly refused: RefusedMovements,
  ) {}

  /**
   * Requests the movement once, as a step of the process. Resolves to the failure of its resource when it is refused
   * and will never be sent. Resolves to null when it is sent, also by another process: then its transaction's events
   * say how it ends.
   */
  async request(
    process: 'transfer' | 'token-withdrawal' | 'suspense-sending',
    movement: PayloadOf<typeof RequestTokenMovement>,
    context: RequestContext,
  ): Promise<Failure | null> {
    const once = stepContext(context, process, 'request-movement', movement.movementId);
    try {
      await this.commands.execute(new RequestTokenMovementCommand(movement, once));
      return null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === LIST_IS_BEHIND) throw new Unavailable('service-unavailable');
      const purpose = { kind: 'token-movement', id: movement.movementId } as const;
      // Before the funds are returned. Another process may have got the event too, and may be about to sign.
      const reason = error.code === ABOVE_MAXIMUM ? ABOVE_MAXIMUM : 'refused';
      const isPrevented = await this.refused.prevent(purpose, chainOfToken(movement.asset), reason, context);
      return isPrevented ? failureOf(error) : null;
    }
  }
}

/** The refusal is permanent: no process signs the movement any more. */
const failureOf = ({ code, message }: Refusal): Failure =>
  code === TARGET_LOST.code
    ? TARGET_LOST
    : { code, message: `The tokens cannot be sent: ${message}. Nothing was moved.`, retryable: false };
