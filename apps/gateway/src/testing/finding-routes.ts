import { SAMPLE } from '../api/samples';
import {
  FINDING_VERDICT_EXAMPLE,
  OpenedFindingEnvelopeDto,
  ScreeningFindingEnvelopeDto,
  ScreeningFindingsDto,
} from '../console-api/screening-findings/screening-finding.dto';
import { get, post } from './staff-route';

/** The routes of screening findings. */
export const FINDING_ROUTES = {
  'staff-list-screening-findings': get('/staff/v1/screening-findings', ScreeningFindingsDto),
  'staff-open-screening-finding': post(
    `/staff/v1/screening-findings/${SAMPLE.quoteId}/open`,
    { purpose: 'review', note: 'Ticket 1' },
    OpenedFindingEnvelopeDto,
  ),
  'staff-judge-screening-finding': post(
    `/staff/v1/screening-findings/${SAMPLE.quoteId}/verdict`,
    FINDING_VERDICT_EXAMPLE,
    ScreeningFindingEnvelopeDto,
  ),
} as const;
