import { playFamily } from './family.ts';

playFamily('bounds');
