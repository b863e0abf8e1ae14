import { playFamily } from './family.ts';

playFamily('trouble');
