import type { IEventHandler } from '@nestjs/cqrs';
import { PersonErased } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { Shredder } from './shredder.service';

/** Completes an erasure if the command crashed between recording it and destroying the key. */
@Policy(PersonErased)
export class WhenPersonErasedShred implements IEventHandler<Recorded<PersonErased>> {
  constructor(private readonly shredder: Shredder) {}

  async handle(event: Recorded<PersonErased>): Promise<void> {
    await this.shredder.shred(event.data.subjectId, causedBy(event, 'shred', 'when-person-erased'));
  }
}
