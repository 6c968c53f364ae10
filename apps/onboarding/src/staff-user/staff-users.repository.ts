import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { staffUser } from './staff-user.decider';

@Injectable()
export class StaffUsers extends defineRepository(staffUser) {}
