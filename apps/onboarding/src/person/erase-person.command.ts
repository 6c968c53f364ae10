import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ErasePerson } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { PersonalDataInventory } from './personal-data-inventory.service';
import { Persons } from './persons.service';
import { Shredder } from './shredder.service';

export class ErasePersonCommand extends RequestCommand<typeof ErasePerson> {}

/** Shreds the person's key once the legal retention period is over. Before that, only restricts access. */
@CommandHandler(ErasePersonCommand)
export class ErasePersonHandler implements ICommandHandler<ErasePersonCommand> {
  constructor(
    private readonly persons: Persons,
    private readonly inventory: PersonalDataInventory,
    private readonly shredder: Shredder,
  ) {}

  async execute({
    payload: {
      person: key,
      staff: { staffId, roles },
      expected,
    },
    context,
  }: ErasePersonCommand): Promise<ReplyOf<typeof ErasePerson>> {
    if (!roles.includes('compliance-approver')) refuse('role-not-allowed', 'only approvers can erase personal data');
    const subjectId = await this.persons.subjectOf(key);
    const known = subjectId === null ? null : await this.persons.load(subjectId);
    if (subjectId === null || known === null || known.mentions.size === 0) return null;
    const retainedUntil = this.inventory.retainedUntil(await this.inventory.of(subjectId, known));
    const { status } = await this.persons.handle(
      subjectId,
      (at) => ({
        ...{ kind: 'erase', subjectId, requestedBy: staffId, retainedUntil, expected, at },
        mentions: known.mentions.size,
      }),
      context,
    );
    if (status !== 'erased') return { subjectId, outcome: 'restricted', retainedUntil };
    await this.shredder.shred(subjectId, context);
    return { subjectId, outcome: 'erased', retainedUntil };
  }
}
