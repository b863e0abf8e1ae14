import { playFamily } from './family.ts';

playFamily('news');
