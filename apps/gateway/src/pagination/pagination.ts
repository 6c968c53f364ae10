import type { ExecutionContext, PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { HttpArgumentsHost } from '@nestjs/common/interfaces';
import { Services } from '../edge/services';
import { Cursors } from './cursors';
import { ListRequest } from './list-request';

/** Reads what a list was asked for. */
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

/** The {@link ListRequest} of an operation that is `paged`. */
export const Listed = (): ParameterDecorator => Http(Pagination);
