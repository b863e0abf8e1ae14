// What the command line needs of it.
export { type Owner, ownerOf } from '../base/owner.ts';
