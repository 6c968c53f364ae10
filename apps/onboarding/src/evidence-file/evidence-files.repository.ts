import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { evidenceFile } from './evidence-file.decider';
import { EvidenceFileReadModel } from './evidence-files.read-model';

@Injectable()
export class EvidenceFiles extends defineRepository(evidenceFile, EvidenceFileReadModel) {}
