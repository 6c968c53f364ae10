import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { apiKey } from './api-key.decider';

@Injectable()
export class ApiKeys extends defineRepository(apiKey) {}
