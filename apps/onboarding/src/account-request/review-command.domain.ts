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
import type { Hit } from './findings.domain';

interface ByStaff {
  readonly staff: StaffActor;
  readonly at: Timestamp;
}

export type ReviewCommand = ByStaff &
  (
    | { readonly kind: 'claim'; readonly takeOver: boolean }
    | { readonly kind: 'release' }
    | { readonly kind: 'escalate'; readonly note: Sealed | null }
    | {
        readonly kind: 'ask-information';
        readonly items: readonly InformationItem[];
        readonly issues: readonly PartnerReason[];
        readonly note: Sealed | null;
      }
    | {
        readonly kind: 'judge-hit';
        readonly person: Hit['person'];
        readonly list: string;
        readonly entryId: string;
        /** The score that was read. */
        readonly score: number;
        readonly verdict: HitVerdict;
        readonly reason: VerdictReason;
        readonly note: Sealed | null;
      }
    | {
        readonly kind: 'approve';
        /** The version of the case that was read. */
        readonly version: number;
        readonly note: Sealed | null;
        /** Other people's requests that name the same session by now, recorded in this request or not. */
        readonly liveness?: { readonly sessionFingerprint: string; readonly sharedWith: readonly string[] };
      }
    | { readonly kind: 'reject'; readonly reason: InternalReason; readonly note: Sealed | null }
  );
