import { Inject, Injectable } from '@nestjs/common';
import type { CertificateEvent } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { ShownStreams } from '../transfer/shown-streams';
import type { Certificate, CertificateCommand } from './certificate.decider';
import { certificate } from './certificate.decider';
import type { CertificateRow, CertificatesTable } from './certificates-table.port';
import { CERTIFICATES_TABLE } from './certificates-table.port';
import { certificateRows } from './certificates.read-model';

/** The streams of reward certificates. */
@Injectable()
export class Certificates extends ShownStreams<CertificateCommand, Certificate, CertificateEvent, CertificateRow> {
  constructor(
    aggregates: Aggregates,
    @Inject(CERTIFICATES_TABLE) table: CertificatesTable,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    const putAll = (rows: readonly CertificateRow[]) => table.putAll(rows);
    super({ aggregates, decider: certificate, rowsOf: certificateRows, putAll, clock, logger });
  }
}
