import { playFamily } from './family.ts';

playFamily('prompt');
