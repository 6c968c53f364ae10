import type { ExecutionContext, PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { HttpArgumentsHost } from '@nestjs/common/interfaces';
import { Services } from '../edge/request-context.service';
import { Cursors } from './cursors.service';
import { ListRequest } from './list-request';

/** Creates the {@link ListRequest} of a request. */
@Injectable()
export class Pagination implements PipeTransform<HttpArgumentsHost, ListRequest> {
  constructor(
    private readonly services: Services,
    private readonly cursors: Cursors,
  ) {}

  transform(http: HttpArgumentsHost): ListRequest {
    return new ListRequest(http, this.services, this.cursors);
  }
}

const Http = createParamDecorator((_data: unknown, host: ExecutionContext) => host.switchToHttp());

/** Injects the {@link ListRequest} of a `paged` operation. */
export const Listed = (): ParameterDecorator => Http(Pagination);
