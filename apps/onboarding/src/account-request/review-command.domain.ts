import type {
  InformationItem,
  InternalReason,
  JudgeScreeningHit,
  PartnerReason,
  StaffActor,
  Timestamp,
} from '@ponte/contracts';
import type { PayloadOf, Sealed } from '@ponte/event-sourcing';
import type { RelatedFindings } from '../review/related-findings.domain';

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
    | (Omit<PayloadOf<typeof JudgeScreeningHit>, 'requestId' | 'staff'> & { readonly kind: 'judge-hit' })
    | (AsRead & { readonly kind: 'approve' })
    | (AsRead & { readonly kind: 'reject'; readonly reason: InternalReason })
  );
