import { Metrics } from './metrics';

it('reports a series at zero once it has been asked for, then what was counted', async () => {
  const metrics = new Metrics();
  const sent = metrics.counter('ponte_spans_dropped_total', { reason: 'queue-full' });
  const times = metrics.histogram('ponte_append_seconds', { outcome: 'appended' });

  const before = await metrics.registry.metrics();
  expect(before).toContain('ponte_spans_dropped_total{reason="queue-full"} 0');
  expect(before).toContain('ponte_append_seconds_count{outcome="appended"} 0');

  sent.inc();
  sent.inc(2);
  times.observe(0.003);
  const after = await metrics.registry.metrics();
  expect(after).toContain('ponte_spans_dropped_total{reason="queue-full"} 3');
  expect(after).toContain('ponte_append_seconds_bucket{le="0.0025",outcome="appended"} 0');
  expect(after).toContain('ponte_append_seconds_bucket{le="0.005",outcome="appended"} 1');
  expect(after).toContain('ponte_append_seconds_sum{outcome="appended"} 0.003');
});

it('keeps what was counted when a series is asked for again', async () => {
  const metrics = new Metrics();
  metrics.histogram('ponte_append_seconds', { outcome: 'appended' }).observe(1);
  metrics.histogram('ponte_append_seconds', { outcome: 'appended' }).observe(1);
  expect(await metrics.registry.metrics()).toContain('ponte_append_seconds_count{outcome="appended"} 2');
});

it('refuses missing and unknown labels, and a metric of another kind', () => {
  const metrics = new Metrics();
  expect(() => metrics.counter('ponte_spans_dropped_total')).toThrow('must have the labels reason');
  expect(() => metrics.counter('ponte_spans_dropped_total', { cause: 'x' })).toThrow('must have the labels reason');
  expect(() => metrics.histogram('ponte_spans_dropped_total', { reason: 'x' })).toThrow('is not a histogram');
});
