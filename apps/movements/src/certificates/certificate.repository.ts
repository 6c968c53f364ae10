import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { certificate } from './certificate.decider';
import { CertificateReadModel } from './certificates.read-model';

/** The streams of reward certificates. */
@Injectable()
export class Certificates extends defineRepository(certificate, CertificateReadModel) {}
