import { Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FxDayRecord, IofPeriodRecord } from '@ponte/contracts';
import { GetFxDays, GetIofPayable } from '@ponte/contracts';
import { Refusal, toWire } from '@ponte/kernel';
import { Services } from '../../edge/request-context.service';
import { Resource } from '../../openapi/operation';
import { described } from '../../openapi/operation-spec';
import { StaffOperation } from '../../staff/operation';
import { csvOf } from './csv';
import type { FxDayDto, IofPeriodDto } from './report.dto';
import {
  FX_DAY_EXAMPLE,
  FxDaysDto,
  IOF_PERIOD_EXAMPLE,
  IofPeriodsDto,
  IofQuery,
  ReportPeriodQuery,
} from './report.dto';

const CSV = 'text/csv';

/**
 * Reports of the treasury's trades, the house's earnings and the IOF owed. They are computed from the postings and lag
 * slightly behind the log.
 */
@Resource('staff/v1/reports', 'books')
export class FxReportsController {
  constructor(private readonly services: Services) {}

  @StaffOperation('staff-get-fx-days', {
    summary: 'Report the FX position and profit by day and token',
    query: ReportPeriodQuery,
    answer: described(FxDaysDto),
  })
  @Get('fx-days')
  async fxDays(@Req() request: FastifyRequest): Promise<FxDaysDto> {
    return { 'fx-days': await this.days(request) };
  }

  @StaffOperation('staff-download-fx-days', {
    summary: 'Report the FX position and profit, as CSV',
    query: ReportPeriodQuery,
    bytes: [CSV],
  })
  @Get('fx-days.csv')
  async fxDaysCsv(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sent(reply, 'fx-days', csvOf(FX_DAY_EXAMPLE, await this.days(request)));
  }

  @StaffOperation('staff-get-iof-payable', {
    summary: 'Report the IOF charged, by day or month',
    query: IofQuery,
    answer: described(IofPeriodsDto),
  })
  @Get('iof-payable')
  async iof(@Req() request: FastifyRequest): Promise<IofPeriodsDto> {
    return { 'iof-periods': await this.periods(request) };
  }

  @StaffOperation('staff-download-iof-payable', {
    summary: 'Report the IOF charged, as CSV',
    query: IofQuery,
    bytes: [CSV],
  })
  @Get('iof-payable.csv')
  async iofCsv(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await sent(reply, 'iof-payable', csvOf(IOF_PERIOD_EXAMPLE, await this.periods(request)));
  }

  private async days(request: FastifyRequest): Promise<FxDayDto[]> {
    const { from, to } = periodOf(request.query as ReportPeriodQuery);
    return (await this.services.request(GetFxDays, { from, to }, request.call)).days.map(fxDayDto);
  }

  private async periods(request: FastifyRequest): Promise<IofPeriodDto[]> {
    const query = request.query as IofQuery;
    const payload = { ...periodOf(query), by: query.by ?? ('month' as const) };
    return (await this.services.request(GetIofPayable, payload, request.call)).periods.map(iofPeriodDto);
  }
}

function periodOf({ from, to }: ReportPeriodQuery): { from: string; to: string } {
  if (from <= to) return { from, to };
  throw new Refusal([{ code: 'invalid-format', path: 'to', message: 'must not be before from' }]);
}

async function sent(reply: FastifyReply, name: string, text: string): Promise<void> {
  const headers = { 'content-disposition': `attachment; filename="${name}.csv"` };
  await reply.headers(headers).type(`${CSV}; charset=utf-8`).send(text);
}

const fxDayDto = (day: FxDayRecord): FxDayDto => ({
  ...toWire(day, 'day', 'asset', 'trades', 'tokensSold', 'brlReceived', 'tokensBought', 'brlPaid'),
  ...toWire(day, 'spread', 'fees', 'iof', 'tokenPosition', 'brlPosition', 'rate', 'profit'),
});

const iofPeriodDto = ({ period, trades, amount }: IofPeriodRecord): IofPeriodDto => ({ period, trades, amount });
