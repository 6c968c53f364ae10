import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { GATEWAY } from './gateway.config';
import { configureGateway, createGatewayAdapter, GatewayModule } from './gateway.module';

runService({
  service: 'gateway',
  settings: GATEWAY,
  module: ({ environment }) => GatewayModule.forEnvironment(environment),
  edge: { adapter: createGatewayAdapter, configure: configureGateway },
});
