import { STAFF_ROLES } from '@ponte/contracts';
import { instant, oneOf, text, whole } from '../../validation/field-types';
import { ListOf } from '../../validation/envelopes';
import { Required } from '../../validation/fields';
import { listOfWords } from '../../validation/list-field-types';
import { SAMPLE } from '../../api/samples';
import { MAX_NAME, STAFF_ID, STAFF_WAYS } from '../session/session.dto';

/** A staff member as of the last sign-in. */
export class MemberDto {
  @Required(text(1, 100), 'The id of the staff member, as in cases and histories', STAFF_ID)
  id!: string;

  @Required(text(1, MAX_NAME), 'The display name', 'analyst')
  name!: string;

  @Required(listOfWords(0, STAFF_ROLES), 'The roles of the staff member', ['compliance-analyst'])
  roles!: string[];

  @Required(oneOf(STAFF_WAYS), 'How they signed in', 'local')
  way!: string;

  @Required(instant, 'When the member last signed in', SAMPLE.time)
  'last-signed-in-at'!: string;
}

export class MembersDto extends ListOf(
  'staff',
  () => MemberDto,
  'Every staff member who has signed in, most recent first',
) {}

export class EndedSessionsDto {
  @Required(whole, 'The number of sessions that were ended', 2)
  ended!: number;
}
