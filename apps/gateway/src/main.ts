import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { configureGateway, createGatewayAdapter, GatewayModule } from './gateway.module';

runService({
  service: 'gateway',
  module: ({ environment }) => GatewayModule.forEnvironment(environment),
  edge: { adapter: createGatewayAdapter, configure: configureGateway },
});
