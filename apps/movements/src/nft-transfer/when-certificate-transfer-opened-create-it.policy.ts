import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { CertificateTransferOpened } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { OpenNftTransferCommand } from './open-nft-transfer.command';

/** Has effect only after a crash between reservation and creation. Otherwise the transfer exists already. */
@Policy(CertificateTransferOpened)
export class WhenCertificateTransferOpenedCreateIt implements IEventHandler<Recorded<CertificateTransferOpened>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<CertificateTransferOpened>): Promise<void> {
    const { certificateId, transfer } = event.data;
    const opened = { certificateId, transferId: transfer.transferId };
    await this.commands.execute(
      new OpenNftTransferCommand(opened, causedBy(event, 'create-nft-transfer', 'when-certificate-transfer-opened')),
    );
  }
}
