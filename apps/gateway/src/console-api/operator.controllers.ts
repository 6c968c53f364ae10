import { OperatorRulesController } from '../api/pricing-rules/operator-rules.controller';
import { OperatorCertificatesController } from './certificates/operator-certificates.controller';
import { StaffController } from './staff.controller';

/** Controllers whose routes accept the staff token of the installation. */
export const OPERATOR_CONTROLLERS = [StaffController, OperatorCertificatesController, OperatorRulesController] as const;
