import { SandboxCertificatesController } from './sandbox-certificates.controller';
import { SandboxDepositsController } from './sandbox-deposits.controller';
import { SandboxStaffController } from './sandbox-staff.controller';
import { SandboxController } from './sandbox.controller';
import { SignatureCheckController } from './signature-check.controller';
import { WebhookFaultsController } from './webhook-faults.controller';

/** Controllers whose routes do not exist in a production process. */
export const SANDBOX_CONTROLLERS = [
  SandboxController,
  SandboxDepositsController,
  SandboxCertificatesController,
  SandboxStaffController,
  SignatureCheckController,
  WebhookFaultsController,
] as const;
