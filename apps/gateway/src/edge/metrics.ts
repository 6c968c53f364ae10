import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Upper bounds in seconds: from a look-up in memory to the deadline of a request. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Series {
  readonly duration: Pick<Histogram.Internal<string>, 'observe'>;
  readonly requests: Pick<Counter.Internal, 'inc'>;
}

/** What the gateway counts, by operation and never by path: a path holds ids. */
export class Metrics {
  readonly registry = new Registry();
  private readonly known = new Map<string, Series>();
  private readonly duration = new Histogram({
    name: 'ponte_gateway_request_seconds', help: 'Time from the arrival of a request to the end of its answer', labelNames: ['operation'], buckets: BUCKETS, registers: [this.registry],
  });
  private readonly requests = new Counter({
    name: 'ponte_gateway_requests_total', help: 'Answered requests', labelNames: ['operation', 'status'], registers: [this.registry],
  });

  /** Process metrics too; called once, by the process that serves. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  count(request: FastifyRequest, reply: FastifyReply): void {
    const operation = request.call.policy?.operation ?? 'none';
    const { duration, requests } = this.series(operation, reply.statusCode);
    duration.observe(reply.elapsedTime / 1000);
    requests.inc();
  }

  /** Finding a series by its labels costs more than counting in it. */
  private series(operation: string, status: number): Series {
    const name = operation + String(status);
    const known = this.known.get(name);
    if (known) return known;
    const found = { duration: this.duration.labels(operation), requests: this.requests.labels(operation, String(status)) };
    this.known.set(name, found);
    return found;
  }
}
