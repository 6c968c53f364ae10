import { apiPixForEachTest } from '../../testing/api-pix-for-each-test';
import { describePixCharges } from '../../testing/pix-charges.contract';
import { SimulatedPix } from '../../testing/pix-under-test';

describe('In the process', () => {
  let simulated: SimulatedPix;
  beforeEach(() => {
    simulated = new SimulatedPix();
  });
  afterEach(() => simulated.bank.onApplicationShutdown());

  describePixCharges('the simulated bank', () => simulated);
});

describe('Over HTTPS', () => {
  const { under } = apiPixForEachTest();

  describePixCharges('the adapter of API Pix', under);
});
