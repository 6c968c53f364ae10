import { Get } from '@nestjs/common';
import { STATE_MACHINES } from '@ponte/contracts';
import { CATALOGUE } from '../../errors/catalogue';
import type { ErrorDefinition } from '@ponte/kernel';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import type { CatalogueEntryDto, StateMachineDto } from './reference.dto';
import { CatalogueDto, StateMachinesDto } from './reference.dto';

const entry = ({ code, status, type, message }: ErrorDefinition): CatalogueEntryDto => ({
  code,
  status,
  type,
  message,
});

const machine = ([resource, moves]: [string, Readonly<Record<string, readonly string[]>>]): StateMachineDto => ({
  resource,
  moves,
  terminal: Object.keys(moves).filter((state) => moves[state]?.length === 0),
});

const ERRORS: CatalogueDto = { errors: CATALOGUE.map(entry) };
const MACHINES: StateMachinesDto = { 'state-machines': Object.entries(STATE_MACHINES).map(machine) };

/** Reference data of the API, public without credentials. */
@Resource('api/v1', 'reference')
export class ReferenceController {
  @Operation({
    id: 'list-errors',
    summary: 'Get the catalogue of errors',
    reach: 'public',
    answer: described(CatalogueDto),
  })
  @Get('errors')
  errors(): CatalogueDto {
    return ERRORS;
  }

  @Operation({
    id: 'list-state-machines',
    summary: 'Get the state machines of all resources',
    reach: 'public',
    answer: described(StateMachinesDto, { 'state-machines': [machine(['order', STATE_MACHINES.order])] }),
  })
  @Get('state-machines')
  stateMachines(): StateMachinesDto {
    return MACHINES;
  }
}
