import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { certificate } from './certificate.decider';
import type { CertificatesTable } from './certificates-table.port';
import { CERTIFICATES_TABLE } from './certificates-table.port';
import { certificateRows } from './certificates.read-model';

/** The streams of reward certificates. */
@Injectable()
export class Certificates extends defineRepository(certificate, {
  readModel: CERTIFICATES_TABLE,
  show: (table: CertificatesTable, { state, revision }) => table.putAll(certificateRows(state, revision)),
}) {}
