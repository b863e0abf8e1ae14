import { playFamily } from './family.ts';

playFamily('server');
