/** What people see of events and reports is masked alike, here and in the daemon. */
export { masked, maskedValue } from '../../api/mask.ts';
