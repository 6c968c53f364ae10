import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { staffUser } from './staff-user.decider';

/** The streams of staff members who sign in with a password. */
@Injectable()
export class StaffUsers extends defineRepository(staffUser) {}
