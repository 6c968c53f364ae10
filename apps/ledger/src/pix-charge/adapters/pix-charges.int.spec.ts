import { BankUnderTest } from '../../testing/bank-under-test';
import { describePixCharges } from '../../testing/pix-charges.contract';
import { PixOverHttps, SimulatedPix } from '../../testing/pix-under-test';

describe('In the process', () => {
  let simulated: SimulatedPix;
  beforeEach(() => {
    simulated = new SimulatedPix();
  });
  afterEach(() => simulated.bank.onApplicationShutdown());

  describePixCharges('the simulated bank', () => simulated);
});

describe('Over HTTPS', () => {
  const https = new BankUnderTest();
  let under: PixOverHttps;
  beforeEach(() => {
    under = new PixOverHttps(https);
  });
  afterEach(() => under.simulated.bank.onApplicationShutdown());

  describePixCharges('the adapter of API Pix', () => under);
});
