// Values that the chart must refuse.

/** [description, release, arguments of Helm]: values that the chart must refuse to render. */
export const PLANTED_VALUES = [
  ['the tag latest', 'orders', ['--set', 'image.tag=latest']],
  ['a tag where a digest is required', 'orders', ['--set', 'image.requireDigest=true', '--set', 'image.tag=0.2.0']],
  ['more replicas than partitions', 'orders', ['--set', 'autoscaling.max=13']],
  ['a maximum below the minimum', 'pricing', ['--set', 'autoscaling.max=1']],
  ['two scalers', 'orders', ['--set-json', 'autoscaling.by=["cpu","lag"]']],
  ['an unknown value', 'orders', ['--set', 'replicaCount=3']],
  ['a setting that is a number', 'orders', ['--set', 'config.KAFKA_PARTITIONS=12']],
  ['an undefined peer', 'orders', ['--set', 'network.egress={redis}']],
  ['an ingress of an unknown controller without annotations', 'gateway', ['--set', 'ingresses[0].controller=other']],
  ['an ingress without a maximum body size', 'gateway', ['--set', 'ingresses[0].maxBodyBytes=null']],
  ['a simulated bank with a scaler', 'ledger', ['--set', 'autoscaling.by=lag']],
  ['a simulated bank without a volume', 'ledger', ['--set', 'simulatedBank.claim=']],
  ['a simulated bank with two replicas', 'ledger', ['--set', 'replicas=2']],
  [
    'two replicas while one of two banks is simulated',
    'ledger',
    ['--set-string', 'config.LEDGER_PIX_RAIL=api-pix', '--set', 'autoscaling.by=none', '--set', 'replicas=2'],
  ],
  ['no memory limit', 'orders', ['--set', 'resources.memoryMi=null']],
];
