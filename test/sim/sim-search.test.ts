import { playFamily } from './family.ts';

playFamily('search');
