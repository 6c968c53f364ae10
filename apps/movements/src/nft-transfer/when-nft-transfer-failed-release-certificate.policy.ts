import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { NftTransferFailed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { ReleaseCertificateCommand } from './release-certificate.command';

/**
 * Releases the certificate of a failed transfer. Retried until it is released, so that no certificate stays reserved.
 */
@Policy(NftTransferFailed)
export class WhenNftTransferFailedReleaseCertificate implements IEventHandler<Recorded<NftTransferFailed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<NftTransferFailed>): Promise<void> {
    const context = causedBy(event, 'release-certificate', 'when-nft-transfer-failed');
    await this.commands.execute(new ReleaseCertificateCommand(event.data, context));
  }
}
