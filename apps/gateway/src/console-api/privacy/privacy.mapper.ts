import type { PrivacyReport } from '@ponte/contracts';
import { toWire } from '@ponte/kernel';
import type { NameOf } from '../../staff/names.service';
import { viewDto } from '../case/case.mapper';
import type { PrivacyReportDto } from './privacy.dto';

export const privacyReportDto = (
  { subjectId, status, holdings, views }: PrivacyReport,
  nameOf: NameOf,
): PrivacyReportDto => ({
  'subject-id': subjectId,
  status,
  holdings: holdings.map((holding) => ({
    ...toWire(holding, 'kind', 'id', 'role', 'purpose', 'legalBasis', 'since', 'retainedUntil'),
    categories: [...holding.categories],
  })),
  views: views.map((view) => ({ ...viewDto(view, nameOf), 'account-request-id': view.requestId })),
});

/** The end of the longest retention; null while one has no end yet. Onboarding applies the same rule when it erases. */
export function retainedUntil({ holdings }: PrivacyReport): string | null {
  const ends = holdings.map((holding) => holding.retainedUntil);
  return ends.includes(null) ? null : (ends.sort().at(-1) ?? null);
}
