import type { IEventHandler } from '@nestjs/cqrs';
import { AccountRequested, InformationProvided } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { RequestTraits } from './request-traits.service';

/** Records the traits of a new or changed request, so that it can be compared with every other request. */
@Policy(AccountRequested, InformationProvided)
export class WhenRequestChangedNoteTraits implements IEventHandler<Recorded<AccountRequested | InformationProvided>> {
  constructor(private readonly traits: RequestTraits) {}

  async handle(event: Recorded<AccountRequested | InformationProvided>): Promise<void> {
    const context = causedBy(event, 'note-request-traits', 'when-request-changed');
    await this.traits.record(event.data.requestId, event.revision, context);
  }
}
