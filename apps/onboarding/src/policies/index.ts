import { WhenFileDeletedDeleteBytes } from './when-file-deleted-delete-bytes';
import { WhenLivenessSessionNamedNoteSharing } from './when-liveness-session-named-note-sharing';
import { WhenPersonErasedShred } from './when-person-erased-shred';
import { WhenPersonNamedNoteMention } from './when-person-named-note-mention';
import { WhenWithdrawalCreatedNotePayee } from './when-withdrawal-created-note-payee.policy';
import { WhenPixReceivedNoteMention } from './when-pix-received-note-mention';
import { WhenRequestChangedNoteTraits } from '../duplicates/when-request-changed-note-traits.policy';
import { WhenRequestApprovedProvisionAccount } from './when-request-approved-provision-account';
import { WhenRequestEndedFreeReservations } from './when-request-ended-free-reservations';
import { WhenRequestMadeReferenceFiles } from './when-request-made-reference-files';
import { WhenRequestMadeStartScreening } from './when-request-made-start-screening';
import { WhenScreeningStartedScreenRequest } from './when-screening-started-screen-request';

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
