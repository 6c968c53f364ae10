import { SAMPLE } from '../../api/samples';
import { instant, text, whole } from '../../validation/field-types';
import type { Shape } from '../../validation/fields';
import { Nullable, Required } from '../../validation/fields';

/** A base class for what one staff member requested and another one confirms. */
export function ProposalOf<T extends object>(request: Shape<T>) {
  class Proposal extends (request as Shape) {
    @Required(whole, 'Counts the proposals for the payment, from 1', 1)
    proposal!: number;

    @Required(text(1, 60), 'The staff member who proposed it', SAMPLE.parentId)
    'proposed-by'!: string;

    @Required(instant, 'When it was proposed', SAMPLE.time)
    'proposed-at'!: string;

    @Nullable(text(1, 60), 'The staff member who confirmed it. Null while it waits', SAMPLE.accountId)
    'confirmed-by'!: string | null;
  }
  return Proposal as unknown as Shape<T & Proposal>;
}
