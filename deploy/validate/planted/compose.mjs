// Mistakes planted into deploy/compose.yaml. The rule for each must find it.

/** [rule, description, how the mistake is planted]. */
export const COMPOSE_PLANTED = [
  [
    'only known keys',
    'a misspelt key',
    (c) => {
      c.services.orders.enviroment = {};
    },
  ],
  [
    'images have a fixed version and no registry host',
    'the tag latest',
    (c) => {
      c.services.postgres.image = 'postgres:latest';
    },
  ],
  [
    'images have a fixed version and no registry host',
    'the host of a registry',
    (c) => {
      c.services.postgres.image = 'registry.example.com/postgres:17.6';
    },
  ],
  [
    'dependencies exist and can meet their condition',
    'a service that does not exist',
    (c) => {
      c.services.orders.depends_on.redis = { condition: 'service_started' };
    },
  ],
  [
    'dependencies exist and can meet their condition',
    'a health condition without a health check',
    (c) => {
      delete c.services.kafka.healthcheck;
    },
  ],
  [
    'volumes are declared and used, and files exist',
    'an undeclared volume',
    (c) => {
      c.services.kafka.volumes = ['kafka:/var/lib/kafka/data'];
    },
  ],
  [
    'volumes are declared and used, and files exist',
    'a file that does not exist',
    (c) => {
      c.services.prometheus.volumes = [
        ...c.services.prometheus.volumes,
        './observability/absent.yaml:/etc/prometheus/absent.yaml:ro',
      ];
    },
  ],
  [
    'volumes are declared and used, and files exist',
    'a volume under a tmpfs',
    (c) => {
      c.services.gateway.tmpfs = ['/var/lib/ponte:mode=0700'];
    },
  ],
  [
    'ports are only on loopback and unique',
    'a public port',
    (c) => {
      c.services.gateway.ports = ['3000:3000'];
    },
  ],
  [
    'ports are only on loopback and unique',
    'a duplicate port',
    (c) => {
      c.services.grafana.ports = ['127.0.0.1:3000:3000'];
    },
  ],
  [
    'memory is limited, and running services have a health check',
    'no limit',
    (c) => {
      delete c.services.orders.mem_limit;
    },
  ],
  [
    'our containers are read-only and have no capabilities',
    'a writable container',
    (c) => {
      c.services.orders.read_only = false;
    },
  ],
  [
    'every service starts after its migration',
    'no migration',
    (c) => {
      delete c.services.orders.depends_on['orders-migration'];
    },
  ],
  [
    'every service starts after its migration',
    'the image of another app',
    (c) => {
      c.services.orders.build = { ...c.services.orders.build, args: { APP: 'ledger' } };
    },
  ],
  [
    'settings are known to the code',
    'a misspelt setting',
    (c) => {
      c.services.orders.environment = { ...c.services.orders.environment, ORDERS_BRCODE_SECOND: '900' };
    },
  ],
  [
    'settings are known to the code',
    'a setting of another service',
    (c) => {
      c.services.orders.environment = { ...c.services.orders.environment, LEDGER_PIX_RAIL: 'simulator' };
    },
  ],
  [
    'settings are known to the code',
    'no event store',
    (c) => {
      c.services.orders.environment = { ...c.services.orders.environment, ESDB_URL: '' };
    },
  ],
  [
    'third-party images match images.yaml',
    'an image that is not listed',
    (c) => {
      c.services.jaeger.image = 'jaegertracing/jaeger:2.15.0';
    },
  ],
  [
    'third-party images match images.yaml',
    'a tag without its digest',
    (c) => {
      c.services.postgres.image = c.services.postgres.image.split('@')[0];
    },
  ],
  [
    'the broker has the version that the tests use',
    'an older broker',
    (c) => {
      c.services.kafka.image = 'apache/kafka:3.7.0';
    },
  ],
];
