// Re-exported for the command line.
export { type Owner, ownerOf } from '../base/owner.ts';
