import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Ids } from '@ponte/kernel';
import { IDS, OPERATOR_DUTIES } from '@ponte/nest';
import type { OperatorDuty } from '@ponte/operator';
import { OperatorError } from '@ponte/operator';
import { EndUnsignedMovementsCommand } from '../unsent/end-unsigned-movements.command';
import type { OpenMovement } from '../unsent/open-movements.service';

/** What operators may do with transfers, NFT transfers and token withdrawals. */
@Injectable()
export class MovementDuties implements OnModuleInit {
  constructor(
    @Inject(OPERATOR_DUTIES) private readonly duties: Map<string, OperatorDuty>,
    @Inject(IDS) private readonly ids: Ids,
    private readonly commands: CommandBus,
  ) {}

  onModuleInit(): void {
    this.duties.set('movements end-unsigned', { can: () => true, carryOut: (subject) => this.endUnsigned(subject) });
  }

  private async endUnsigned({ account: accountId = '' }: Readonly<Record<string, string>>): Promise<string> {
    const context = { commandId: this.ids.next(), correlationId: this.ids.next(), actor: 'operator' };
    const done = await this.commands.execute(new EndUnsignedMovementsCommand({ accountId }, context));
    if (done.outcome === 'not-frozen') throw new OperatorError(`account ${accountId} is ${done.status}, not frozen`);
    const { ended, sent, unrequested } = done;
    if (ended.length + sent.length + unrequested.length === 0)
      return `account ${accountId} has no open transfer, NFT transfer or token withdrawal`;
    return [
      ...ended.map((one) => `${nameOf(one)} is given up: it ${ENDS[one.kind]} as soon as its event is handled`),
      ...sent.map((one) => `${nameOf(one)} is being sent: wait until it ends`),
      ...unrequested.map(
        (one) => `${nameOf(one)} has no transaction: it fails by itself, after the review of its address if it has one`,
      ),
    ].join('\n');
  }
}

const ENDS: Readonly<Record<OpenMovement['kind'], string>> = {
  transfer: 'fails',
  'NFT transfer': 'fails',
  withdrawal: 'is rolled back',
};

const nameOf = ({ kind, id }: OpenMovement): string => `${kind} ${id}`;
