import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { JudgeScreeningFinding, OpenScreeningFinding, ScreeningFinding } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { Persons } from '../person/persons.service';
import { refusingErased, resealed } from '../person/seal-person';
import { Findings } from './findings.service';
import { FollowFindings } from './follow-findings.service';

export class OpenScreeningFindingCommand extends RequestCommand<typeof OpenScreeningFinding> {}

/** Records the view before anything is shown. */
@CommandHandler(OpenScreeningFindingCommand)
export class OpenScreeningFindingHandler implements ICommandHandler<OpenScreeningFindingCommand> {
  constructor(
    private readonly findings: Findings,
    private readonly persons: Persons,
  ) {}

  async execute({ payload, context }: OpenScreeningFindingCommand): Promise<ScreeningFinding | null> {
    const { findingId, ...view } = payload;
    const finding = await this.findings.find(findingId);
    if (!finding) return null;
    const what = { what: 'screening-finding', requestId: null, fileId: null } as const;
    await this.persons.view(finding.subjectId, { ...view, ...what }, context);
    return finding;
  }
}

export class JudgeScreeningFindingCommand extends RequestCommand<typeof JudgeScreeningFinding> {}

@CommandHandler(JudgeScreeningFindingCommand)
export class JudgeScreeningFindingHandler implements ICommandHandler<JudgeScreeningFindingCommand> {
  constructor(
    private readonly findings: Findings,
    private readonly follow: FollowFindings,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload, context }: JudgeScreeningFindingCommand): Promise<ScreeningFinding> {
    const before = (await this.findings.find(payload.findingId)) ?? notFound();
    const note = await refusingErased(resealed(this.personalData, before.subjectId, payload.note));
    const judged = await this.findings.handle(
      before,
      (at) => ({ kind: 'judge-finding', ...payload, note, at }),
      context,
    );
    return this.follow.tried(judged ?? notFound(), context);
  }
}

const notFound = (): never => refuse('screening-finding-not-found', 'there is no such screening finding', 'id');
