// mock_serve.ts - the mock hall on a port, for looking at pages: node it after bundling.
import { hall } from './mock_hall.ts';

const [dist = 'dist', spec = '../docs/spec/web', port = '8099'] = process.argv.slice(2);
const mock = hall(dist, spec);
console.log(await mock.start(Number(port)));
