import { record, text, whole } from '../../validation/field-types';
import { textList } from '../../validation/list-field-types';
import { ListOf } from '../../validation/envelopes';
import { Required } from '../../validation/fields';

export class CatalogueEntryDto {
  @Required(text(1, 100), 'Error code, as in `error.code`', 'quote-expired')
  code!: string;

  @Required(whole, 'HTTP status', 422)
  status!: number;

  @Required(text(1, 100), 'Error type, as in `error.type`', 'validation')
  type!: string;

  @Required(text(1, 1000), 'Meaning', 'The quote has expired.')
  message!: string;
}

export class CatalogueDto extends ListOf('errors', () => CatalogueEntryDto, 'Every error code, by status') {}

export class StateMachineDto {
  @Required(text(1, 100), 'Type of the resource', 'order')
  resource!: string;

  @Required(record, 'For each state, the possible next states')
  moves!: Record<string, readonly string[]>;

  @Required(textList(20), 'Final states', ['completed', 'rolled-back'])
  terminal!: string[];
}

export class StateMachinesDto extends ListOf(
  'state-machines',
  () => StateMachineDto,
  'One state machine per resource, as enforced by the API',
) {}
