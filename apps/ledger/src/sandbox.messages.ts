import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { SimulatedPixPayment } from '@ponte/contracts';
import { AdvanceWithdrawal, SimulateDeposit, GetBank, SetBankBehaviour, SimulatePixPayment } from '@ponte/contracts';
import type { MessageBus, PayloadOf } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { SimulatePixPaymentCommand } from './pix-charge/simulate-pix-payment.command';
import { SimulateDepositCommand } from './ted-deposit/simulate-deposit.command';
import { AdvanceInSandboxCommand } from './payouts/advance-in-sandbox.command';
import { PIX_PAYER } from './pix-charge/pix-payer.port';
import type { PixPayer } from './pix-charge/pix-payer.port';

/** Messages of the sandbox only. They are registered in code, so that a production process does not have them. */
@Injectable()
export class SandboxLedgerMessages implements OnModuleInit {
  constructor(
    private readonly commands: CommandBus,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(PIX_PAYER) private readonly payer: PixPayer | null,
  ) {}

  onModuleInit(): void {
    const { payer } = this;
    if (payer === null) return;
    this.bus.handle(SimulatePixPayment.pattern, (payload, context) =>
      this.commands.execute(new SimulatePixPaymentCommand(payload as SimulatedPixPayment, context)),
    );
    this.bus.handle(AdvanceWithdrawal.pattern, (payload, context) =>
      this.commands.execute(new AdvanceInSandboxCommand(payload as PayloadOf<typeof AdvanceWithdrawal>, context)),
    );
    this.bus.handle(SimulateDeposit.pattern, (payload, context) =>
      this.commands.execute(new SimulateDepositCommand(payload as PayloadOf<typeof SimulateDeposit>, context)),
    );
    // The simulated bank is outside Ponte, so this is not a command of an aggregate.
    this.bus.handle(SetBankBehaviour.pattern, async (payload) =>
      payer.behave(payload as PayloadOf<typeof SetBankBehaviour>),
    );
    this.bus.handle(GetBank.pattern, async () => payer.state());
  }
}
