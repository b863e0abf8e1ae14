import { playFamily } from './family.ts';

playFamily('person');
