import { SAMPLE } from '../../api/samples';
import { instant, text, whole } from '../../validation/field-types';
import { exampleOf, Required } from '../../validation/fields';

export class SetAsideDecisionDto {
  @Required(whole, 'The number of the request, as shown in `set-aside`', 1)
  request!: number;
}

/** A request to set a deposit aside that waits for a second staff member. */
export class SetAsideDto extends SetAsideDecisionDto {
  @Required(text(1, 60), 'The staff member who requested it', SAMPLE.parentId)
  'requested-by'!: string;

  @Required(instant, 'When it was requested', SAMPLE.time)
  'requested-at'!: string;
}

export const SET_ASIDE_DECISION_EXAMPLE = exampleOf(SetAsideDecisionDto);
