import { playFamily } from './family.ts';

playFamily('updates');
