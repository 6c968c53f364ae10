import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { apiKey } from './api-key.decider';

/** The streams of API keys. */
@Injectable()
export class ApiKeys extends defineRepository(apiKey) {}
