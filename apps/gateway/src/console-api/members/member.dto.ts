import { STAFF_ROLES } from '@ponte/contracts';
import { instant, oneOf, text, whole } from '../../validation/field-types';
import { ListOf } from '../../validation/envelopes';
import { Required } from '../../validation/members';
import { listOfWords } from '../../validation/list-field-types';
import { SAMPLE } from '../../api/samples';
import { MAX_NAME, STAFF_ID, STAFF_WAYS } from '../session/session.dto';

/** Someone of the staff, as they were when they signed in last. */
export class MemberDto {
  @Required(text(1, 100), 'As cases and histories name them', STAFF_ID)
  id!: string;

  @Required(text(1, MAX_NAME), 'For screens', 'analyst')
  name!: string;

  @Required(listOfWords(0, STAFF_ROLES), 'What they may', ['compliance-analyst'])
  roles!: string[];

  @Required(oneOf(STAFF_WAYS), 'How they signed in', 'local')
  way!: string;

  @Required(instant, 'When', SAMPLE.time)
  'last-signed-in-at'!: string;
}

export class MembersDto extends ListOf(
  'staff',
  () => MemberDto,
  'Everybody who ever signed in here, the last to do so first',
) {}

export class EndedSessionsDto {
  @Required(whole, 'How many sessions there were', 2)
  ended!: number;
}
