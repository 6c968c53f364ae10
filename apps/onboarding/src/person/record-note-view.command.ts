import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RecordNoteView } from '@ponte/contracts';
import { RequestCommand } from '@ponte/nest';
import { Persons } from './persons.service';

/** Records the view of the note of a settlement in the stream of the payer, who need not be a customer. */
export class RecordNoteViewCommand extends RequestCommand<typeof RecordNoteView> {}

@CommandHandler(RecordNoteViewCommand)
export class RecordNoteViewHandler implements ICommandHandler<RecordNoteViewCommand> {
  constructor(private readonly persons: Persons) {}

  async execute({
    payload: { payerId, staff, purpose },
    context,
  }: RecordNoteViewCommand): Promise<Record<string, never>> {
    const view = { staff, purpose, what: 'settlement-note', requestId: null, fileId: null, note: null } as const;
    await this.persons.view(payerId, view, context);
    return {};
  }
}
