import { Controller } from '@nestjs/common';
import * as contracts from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { GetAccountRequestQuery, ListAccountRequestsQuery } from '../account-request/account-requests.query';
import { RegisterEvidenceFileCommand } from '../evidence-file/register-evidence-file.command';
import { RecordLivenessCommand } from '../liveness/record-liveness.command';
import { DecideInSandboxCommand } from '../review/decide-in-sandbox.command';
import { CancelAccountRequestCommand } from './cancel-account-request.command';
import { CreateAccountRequestCommand } from './create-account-request.command';
import { CreateRelianceRequestCommand } from './create-reliance-request.command';
import { ProvideInformationCommand } from './provide-information.command';

/** Requests of partners and providers about account requests. */
@Controller()
export class AccountRequestMessages extends forwardRequests(
  [contracts.CreateAccountRequest, CreateAccountRequestCommand],
  [contracts.CreateRelianceRequest, CreateRelianceRequestCommand],
  [contracts.ProvideInformation, ProvideInformationCommand],
  [contracts.CancelAccountRequest, CancelAccountRequestCommand],
  [contracts.RegisterEvidenceFile, RegisterEvidenceFileCommand],
  [contracts.RecordLiveness, RecordLivenessCommand],
  [contracts.DecideInSandbox, DecideInSandboxCommand],
  [contracts.GetAccountRequest, GetAccountRequestQuery],
  [contracts.ListAccountRequests, ListAccountRequestsQuery],
) {}
