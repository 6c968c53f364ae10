import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import { AccountRequested, InformationProvided } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { ReferenceFilesCommand } from './reference-files.command';

/** Marks the files that a request names as referenced. */
@Policy(AccountRequested, InformationProvided)
export class WhenRequestMadeReferenceFiles implements IEventHandler<Recorded<AccountRequested | InformationProvided>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AccountRequested | InformationProvided>): Promise<void> {
    await this.commands.execute(
      new ReferenceFilesCommand(
        { requestId: event.data.requestId, atLeast: event.revision },
        causedBy(event, 'reference-files', 'when-request-made-reference-files'),
      ),
    );
  }
}
