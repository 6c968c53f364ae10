import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { SimulateTokenDeposit } from '@ponte/contracts';
import type { MessageBus, PayloadOf } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import type { OutsideSender } from './outside-sender.port';
import { OUTSIDE_SENDER } from './outside-sender.port';
import { SimulateTokenDepositCommand } from './simulate-token-deposit.command';

/** Registers the message only in the sandbox, so that a production process does not have it at all. */
@Injectable()
export class SandboxMovementsMessages implements OnModuleInit {
  constructor(
    private readonly commands: CommandBus,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(OUTSIDE_SENDER) private readonly outside: OutsideSender | null,
  ) {}

  onModuleInit(): void {
    if (this.outside === null) return;
    this.bus.handle(SimulateTokenDeposit.pattern, (payload, context) =>
      this.commands.execute(
        new SimulateTokenDepositCommand(payload as PayloadOf<typeof SimulateTokenDeposit>, context),
      ),
    );
  }
}
