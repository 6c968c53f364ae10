import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { evidenceFile } from '../domain/evidence-file/evidence-file';
import { EvidenceFileReadModel } from '../views/evidence-files.read-model';

/** The streams of evidence files. */
@Injectable()
export class EvidenceFiles extends defineRepository(evidenceFile, EvidenceFileReadModel) {}
