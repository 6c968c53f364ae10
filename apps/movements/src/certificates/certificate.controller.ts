import { Controller } from '@nestjs/common';
import { GetAnyCertificate, IssueCertificate, ListAllCertificates, ListCertificates } from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { GetAnyCertificateQuery, ListAllCertificatesQuery, ListCertificatesQuery } from './certificate.queries';
import { IssueCertificateCommand } from './issue-certificate.command';

@Controller()
export class CertificateMessages extends forwardRequests(
  [IssueCertificate, IssueCertificateCommand],
  [ListCertificates, ListCertificatesQuery],
  [ListAllCertificates, ListAllCertificatesQuery],
  [GetAnyCertificate, GetAnyCertificateQuery],
) {}
