import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { CertificateIssued } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { MintCertificateCommand } from './mint-certificate.command';

@Policy(CertificateIssued)
export class WhenCertificateIssuedMintIt implements IEventHandler<Recorded<CertificateIssued>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<CertificateIssued>): Promise<void> {
    const context = causedBy(event, 'mint-certificate', 'when-certificate-issued');
    await this.commands.execute(new MintCertificateCommand(event.data, context));
  }
}
