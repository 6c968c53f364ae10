import { ListOf } from '../../validation/envelopes';
import { PartnerRefDto } from './queue.dto';

export class PartnersDto extends ListOf('partners', () => PartnerRefDto, 'Every partner, newest first') {}
