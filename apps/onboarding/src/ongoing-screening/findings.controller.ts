import { Controller } from '@nestjs/common';
import {
  JudgeScreeningFinding,
  ListScreeningFindings,
  OpenScreeningFinding,
  SearchScreeningFindings,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { ListScreeningFindingsQuery, SearchScreeningFindingsQuery } from './findings.query';
import { JudgeScreeningFindingCommand, OpenScreeningFindingCommand } from './judge-finding.command';

/** Requests of staff about findings of ongoing screening. */
@Controller()
export class FindingMessages extends forwardRequests(
  [ListScreeningFindings, ListScreeningFindingsQuery],
  [SearchScreeningFindings, SearchScreeningFindingsQuery],
  [OpenScreeningFinding, OpenScreeningFindingCommand],
  [JudgeScreeningFinding, JudgeScreeningFindingCommand],
) {}
