import { WhenFileDeletedDeleteBytes } from './when-file-deleted-delete-bytes.policy';
import { WhenLivenessSessionNamedNoteSharing } from './when-liveness-session-named-note-sharing.policy';
import { WhenPersonErasedShred } from './when-person-erased-shred.policy';
import { WhenPersonNamedNoteMention } from './when-person-named-note-mention.policy';
import { WhenWithdrawalCreatedNotePayee } from './when-withdrawal-created-note-payee.policy';
import { WhenPixReceivedNoteMention } from './when-pix-received-note-mention.policy';
import { WhenRequestChangedNoteTraits } from '../duplicates/when-request-changed-note-traits.policy';
import { WhenRequestApprovedProvisionAccount } from './when-request-approved-provision-account.policy';
import { WhenRequestEndedFreeReservations } from './when-request-ended-free-reservations.policy';
import { WhenRequestMadeReferenceFiles } from './when-request-made-reference-files.policy';
import { WhenRequestMadeStartScreening } from './when-request-made-start-screening.policy';
import { WhenScreeningStartedScreenRequest } from './when-screening-started-screen-request.policy';

/** What follows from an event, in the order in which it is done. */
export const POLICIES = [
  WhenFileDeletedDeleteBytes,
  WhenLivenessSessionNamedNoteSharing,
  WhenPersonErasedShred,
  WhenPersonNamedNoteMention,
  WhenRequestApprovedProvisionAccount,
  WhenPixReceivedNoteMention,
  WhenWithdrawalCreatedNotePayee,
  WhenRequestEndedFreeReservations,
  WhenRequestMadeReferenceFiles,
  WhenRequestMadeStartScreening,
  WhenRequestChangedNoteTraits,
  WhenScreeningStartedScreenRequest,
];
