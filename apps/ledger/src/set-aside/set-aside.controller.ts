import { Controller } from '@nestjs/common';
import { ConfirmSetAside, RejectSetAside, RequestSetAside } from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { ConfirmSetAsideCommand, RejectSetAsideCommand, RequestSetAsideCommand } from './set-aside.command';

/** Tokens that arrived at a closed account, which two staff members set aside. */
@Controller()
export class SetAsideMessages extends forwardRequests(
  [RequestSetAside, RequestSetAsideCommand],
  [ConfirmSetAside, ConfirmSetAsideCommand],
  [RejectSetAside, RejectSetAsideCommand],
) {}
