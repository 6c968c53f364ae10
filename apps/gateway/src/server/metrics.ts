import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics as ProcessMetrics } from '@ponte/observability';
import { METRICS } from '@ponte/nest';
import type { CutReason } from '../load-shedding/connection-guard';

interface Series {
  readonly duration: { observe(seconds: number): void };
  readonly requests: { inc(): void };
}

/** The metrics of requests, by operation and never by path, because a path contains ids. */
@Injectable()
export class Metrics {
  private readonly known = new Map<string, Series>();

  constructor(@Inject(METRICS) private readonly metrics: ProcessMetrics) {}

  count(request: FastifyRequest, reply: FastifyReply): void {
    const operation = request.call.policy?.operation ?? 'none';
    const { duration, requests } = this.series(operation, reply.statusCode);
    duration.observe(reply.elapsedTime / 1000);
    requests.inc();
  }

  /** Counts a connection that was cut. */
  cut(reason: CutReason): void {
    this.metrics.counter('ponte_gateway_connections_cut_total', { reason }).inc();
  }

  /** Creates the series of an operation before its first request, because alerts and dashboards need them at zero. */
  expect(operation: string): void {
    for (const status of [200, 500, 503]) this.series(operation, status);
  }

  /** Caches series, because finding one by its labels costs more than counting in it. */
  private series(operation: string, status: number): Series {
    const name = operation + String(status);
    const known = this.known.get(name);
    if (known) return known;
    const found = {
      duration: this.metrics.histogram('ponte_gateway_request_seconds', { operation }),
      requests: this.metrics.counter('ponte_gateway_requests_total', { operation, status: String(status) }),
    };
    this.known.set(name, found);
    return found;
  }
}
