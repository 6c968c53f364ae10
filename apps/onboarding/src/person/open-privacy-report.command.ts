import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { OpenPrivacyReport, PrivacyReport } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { PersonalDataInventory } from './personal-data-inventory.service';
import { viewEntry } from '../review/open-review-case.command';
import { Persons } from './persons.service';

export class OpenPrivacyReportCommand extends RequestCommand<typeof OpenPrivacyReport> {}

/**
 * What data is held about a person, why, and who viewed it, for a person who requests this. It contains kinds and
 * dates, never values.
 */
@CommandHandler(OpenPrivacyReportCommand)
export class OpenPrivacyReportHandler implements ICommandHandler<OpenPrivacyReportCommand> {
  constructor(
    private readonly persons: Persons,
    private readonly inventory: PersonalDataInventory,
  ) {}

  async execute({
    payload: { person: key, staff, purpose },
    context,
  }: OpenPrivacyReportCommand): Promise<PrivacyReport | null> {
    if (!staff.roles.includes('compliance-approver') && !staff.roles.includes('auditor'))
      refuse('role-not-allowed', 'only approvers and auditors can create privacy reports');
    const subjectId = await this.persons.subjectOf(key);
    if (subjectId === null || (await this.persons.load(subjectId)).mentions.size === 0) return null;
    const person = await this.persons.view(
      subjectId,
      { staff, purpose, what: 'privacy-report', requestId: null, fileId: null, note: null },
      context,
    );
    return {
      subjectId,
      status: person.status,
      holdings: await this.inventory.of(subjectId, person),
      views: person.views.map((view) => ({ ...viewEntry(view), requestId: view.requestId })),
    };
  }
}
