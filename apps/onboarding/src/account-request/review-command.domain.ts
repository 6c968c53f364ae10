import type {
  HitVerdict,
  InformationItem,
  InternalReason,
  PartnerReason,
  StaffActor,
  Timestamp,
  VerdictReason,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { RelatedFindings } from '../review/related-findings.domain';
import type { Hit } from './findings.domain';

interface ByStaff {
  readonly staff: StaffActor;
  readonly at: Timestamp;
}

/** A decision about the case as the staff member has read it. */
export interface AsRead {
  /** The version of the case that was read. */
  readonly version: number;
  readonly found?: RelatedFindings;
  readonly note: Sealed | null;
}

export type ReviewCommand = ByStaff &
  (
    | { readonly kind: 'claim'; readonly takeOver: boolean }
    | { readonly kind: 'release' }
    | (AsRead & { readonly kind: 'escalate' })
    | (AsRead & {
        readonly kind: 'ask-information';
        readonly items: readonly InformationItem[];
        readonly issues: readonly PartnerReason[];
      })
    | {
        readonly kind: 'judge-hit';
        readonly person: Hit['person'];
        readonly list: string;
        readonly entryId: string;
        /** The score that was read. */
        readonly score: number;
        /** The version of the entry that was read; null or absent if the hit has none. */
        readonly entryVersion?: string | null | undefined;
        readonly verdict: HitVerdict;
        readonly reason: VerdictReason;
        readonly note: Sealed | null;
      }
    | (AsRead & { readonly kind: 'approve' })
    | (AsRead & { readonly kind: 'reject'; readonly reason: InternalReason })
  );
