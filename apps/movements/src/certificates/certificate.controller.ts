import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { GetAnyCertificate, IssueCertificate, ListAllCertificates, ListCertificates } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { IssueCertificateCommand } from './issue-certificate.command';
import { GetAnyCertificateQuery, ListAllCertificatesQuery, ListCertificatesQuery } from './list-certificates.query';

@Controller()
export class CertificateMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(IssueCertificate.pattern)
  issue(@Payload() payload: PayloadOf<typeof IssueCertificate>, @Ctx() context: RequestContext) {
    return this.commands.execute(new IssueCertificateCommand(payload, context));
  }

  @MessagePattern(ListCertificates.pattern)
  list(@Payload() payload: PayloadOf<typeof ListCertificates>) {
    return this.queries.execute(new ListCertificatesQuery(payload));
  }

  @MessagePattern(ListAllCertificates.pattern)
  listAll(@Payload() payload: PayloadOf<typeof ListAllCertificates>) {
    return this.queries.execute(new ListAllCertificatesQuery(payload));
  }

  @MessagePattern(GetAnyCertificate.pattern)
  get(@Payload() payload: PayloadOf<typeof GetAnyCertificate>) {
    return this.queries.execute(new GetAnyCertificateQuery(payload));
  }
}
